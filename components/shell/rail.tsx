"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { runningBuildsQuery } from "@/components/builds";
import { Logo, navIcons } from "./icons";
import { isHere, places } from "./places";

const MoreSheet = dynamic(() => import("./more-sheet").then((module) => module.MoreSheet), {
  ssr: false,
});

const placeClass =
  "min-w-14 flex-col items-center justify-center gap-0.5 rounded-control px-2 text-label text-muted hover:no-underline aria-[current]:font-strong aria-[current]:text-text tablet:min-w-0 tablet:flex-row tablet:justify-center tablet:py-2 tablet:hover:bg-sunken tablet:aria-[current]:bg-sunken desk:justify-between desk:px-3 desk:py-1.5 desk:text-body";

/** The way around: words at a desk, icons on a tablet, a bar at the bottom of a phone. */
export function Rail({ isShared }: { readonly isShared: boolean }) {
  const t = useTranslations("shell");
  const pathname = usePathname();
  const running = useQuery(runningBuildsQuery()).data ?? 0;
  return (
    <nav
      aria-label={t("main")}
      className="print:hidden fixed inset-x-0 bottom-0 z-20 flex h-14 items-stretch justify-around border-t border-line bg-surface tablet:sticky tablet:inset-auto tablet:top-0 tablet:h-screen tablet:flex-col tablet:justify-start tablet:gap-0.5 tablet:border-t-0 tablet:border-r tablet:bg-bg tablet:px-3 tablet:py-4"
    >
      <Link
        href="/"
        aria-label={t("home")}
        className="flex items-center gap-2.5 px-2 pt-1 pb-5 text-section font-strong text-text hover:no-underline max-tablet:hidden desk:px-3"
      >
        <Logo />
        <span className="hidden desk:inline">Boardwalk</span>
      </Link>
      {places.map(({ href, name, isFirst }) => (
        <Link
          key={href}
          href={href}
          title={t(`places.${name}`)}
          aria-current={isHere(pathname, href) ? "page" : undefined}
          className={`${placeClass} ${isFirst ? "flex" : "hidden tablet:flex"}`}
        >
          <span className="desk:hidden">{navIcons[name]}</span>
          <span className="tablet:sr-only desk:not-sr-only">{t(`places.${name}`)}</span>
          {href === "/builds" && running > 0 ? (
            <span className="hidden text-dense font-normal text-accent desk:inline">{running}</span>
          ) : null}
        </Link>
      ))}
      <More />
      {isShared ? null : (
        <div className="mt-auto hidden border-t border-line p-3 text-dense text-muted desk:block">
          {t("owner")}
          <br />
          {t("ownerScope")}
        </div>
      )}
    </nav>
  );
}

/** On a phone: the way to the places that the bar has no room for. */
function More() {
  const t = useTranslations("shell");
  const pathname = usePathname();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const isBehind = places.some(({ href, isFirst }) => !isFirst && isHere(pathname, href));
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-current={isBehind ? "true" : undefined}
        className={`${placeClass} flex tablet:hidden`}
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        {navIcons.more}
        {t("more")}
      </button>
      {wanted ? <MoreSheet open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
