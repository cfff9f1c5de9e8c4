"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Logo } from "./icons";
import { Queries } from "./queries";

/** Pages of people who are not in yet, or never will be: they see nothing of what is inside. */
const outside = /^\/(sign-in(\/return)?|invitation|new-password|shared\/[^/]+)$/;

/** A page with the shell around it, or without for whoever is not in yet. */
export function Frame({
  shell,
  children,
}: {
  readonly shell: ReactNode;
  readonly children: ReactNode;
}) {
  const t = useTranslations("shell");
  if (!outside.test(usePathname())) return shell;
  return (
    <Queries>
      <main id="main" tabIndex={-1} className="mx-auto max-w-[420px] px-4 py-12 outline-none">
        <Link
          href="/"
          aria-label={t("home")}
          className="mb-10 flex items-center gap-2.5 text-section font-strong text-text hover:no-underline"
        >
          <Logo />
          Boardwalk
        </Link>
        {children}
      </main>
    </Queries>
  );
}
