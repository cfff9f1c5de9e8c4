"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { CopyButton, TerminalCommand, useOrigin } from "@/components/ui";
import { callsOf, curlOf } from "./page-calls";

/** The twin of a page: its link, and what it shows and does as commands, filled with what the address says. */
export function PageTwin() {
  const t = useTranslations("shell.foot");
  const origin = useOrigin();
  const { reads, commands } = callsOf(usePathname(), useSearchParams());
  const setUp = `export BOARDWALK_URL=${origin}`;
  const lines = (calls: readonly string[]) => [setUp, ...calls].join("\n");
  return (
    <>
      <CopyButton text={() => window.location.href} label={t("link")}>
        {t("link")}
      </CopyButton>
      {commands.length > 0 ? (
        <TerminalCommand title={t("terminal")} command={lines(commands)} />
      ) : null}
      {reads.length > 0 ? (
        <TerminalCommand title={t("api")} command={lines(reads.map((path) => curlOf(path)))} />
      ) : null}
    </>
  );
}
