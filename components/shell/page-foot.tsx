"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Suspense } from "react";
import { CopyButton, TerminalCommand, useOrigin } from "@/components/ui";
import { callsOf, curlOf } from "./page-calls";

/** The twin of every page: its link, and what it shows and does as commands, filled with what the address says. */
export function PageFoot() {
  return (
    <Suspense>
      <Foot />
    </Suspense>
  );
}

function Foot() {
  const t = useTranslations("shell.foot");
  const origin = useOrigin();
  const { reads, commands } = callsOf(usePathname(), useSearchParams());
  const setUp = `export BOARDWALK_URL=${origin}`;
  const lines = (calls: readonly string[]) => [setUp, ...calls].join("\n");
  return (
    <footer className="max-w-[1264px] border-t border-line px-4 pt-4 pb-10 print:hidden tablet:px-8">
      <CopyButton text={() => window.location.href} label={t("link")}>
        {t("link")}
      </CopyButton>
      {commands.length > 0 ? (
        <TerminalCommand title={t("terminal")} command={lines(commands)} />
      ) : null}
      {reads.length > 0 ? (
        <TerminalCommand title={t("api")} command={lines(reads.map((path) => curlOf(path)))} />
      ) : null}
    </footer>
  );
}
