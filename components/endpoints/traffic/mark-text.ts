import type { useTranslations } from "next-intl";
import type { Traffic } from "@/lib/common/contract";

/** What was done to an endpoint, in few words: `revision 2`, `paused`. */
export function markText(
  { kind, revision }: Traffic["marks"][number],
  t: ReturnType<typeof useTranslations<"traffic.marks">>,
): string {
  return kind === "switched" ? t("switched", { revision: revision ?? 0 }) : t(kind);
}
