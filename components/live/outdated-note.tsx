"use client";

import { useTranslations } from "next-intl";
import { Age, useOutdated } from "@/components/ui";
import { useLiveStream } from "./live-provider";

/** While nobody can be reached: how old what is shown is, and that nothing is changed meanwhile. */
export function OutdatedNote() {
  const t = useTranslations("shell.live");
  const { lastMessageAt } = useLiveStream();
  if (!useOutdated()) return null;
  const age = () =>
    lastMessageAt === 0 ? null : <Age time={new Date(lastMessageAt).toISOString()} />;
  return (
    <p
      role="status"
      className="border-b border-line bg-sunken px-4 py-2 text-dense text-muted tablet:px-8 print:hidden"
    >
      {lastMessageAt === 0 ? t("unreached") : t.rich("asOf", { age })} {t("held")}
    </p>
  );
}
