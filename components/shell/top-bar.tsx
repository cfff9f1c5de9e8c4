"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useState } from "react";
import { runningBuildsQuery } from "@/components/builds";
import { LiveMarker } from "@/components/live";
import { PreferencesMenu } from "@/components/preferences";
import { useShellKeys } from "./use-shell-keys";

const Palette = dynamic(() => import("./palette").then((module) => module.Palette), { ssr: false });
const ShortcutsSheet = dynamic(
  () => import("./shortcuts-sheet").then((module) => module.ShortcutsSheet),
  { ssr: false },
);

/** A dialog whose script is loaded when it is first asked for. */
function useLazyDialog() {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const toggle = useCallback(() => {
    setWanted(true);
    setOpen((was) => !was);
  }, []);
  return { open, setOpen, wanted, toggle };
}

/** Search, what is building, whether the page is live, the shortcuts, how the pages look, and who is signed in. */
export function TopBar({ account }: { readonly account: ReactNode }) {
  const t = useTranslations("shell");
  const search = useLazyDialog();
  const help = useLazyDialog();
  useShellKeys({ onSearch: search.toggle, onHelp: help.toggle });
  const running = useQuery(runningBuildsQuery()).data ?? 0;

  return (
    <header className="print:hidden flex items-center gap-4 border-b border-line px-4 py-2.5 tablet:px-8 tablet:py-3">
      <button
        type="button"
        onClick={search.toggle}
        className="flex h-9 min-w-0 flex-1 items-center justify-between gap-2 rounded-control border border-line bg-surface px-3 text-left text-muted hover:border-line-strong tablet:max-w-[360px]"
      >
        <span className="truncate">{t("search")}</span>
        <kbd className="max-tablet:hidden">Ctrl K</kbd>
      </button>
      <div className="flex-1 max-tablet:hidden" />
      {running > 0 ? (
        <Link href="/builds" className="text-dense whitespace-nowrap max-tablet:hidden">
          {t("building", { count: running })}
        </Link>
      ) : null}
      <LiveMarker />
      <div className="flex items-center">
        <button
          type="button"
          className="btn btn-quiet btn-dense max-tablet:hidden"
          aria-label={t("shortcuts.open")}
          title={t("shortcuts.open")}
          onClick={help.toggle}
        >
          <span aria-hidden="true">?</span>
        </button>
        <PreferencesMenu />
        {account}
      </div>
      {search.wanted ? <Palette open={search.open} onOpenChange={search.setOpen} /> : null}
      {help.wanted ? <ShortcutsSheet open={help.open} onOpenChange={help.setOpen} /> : null}
    </header>
  );
}
