"use client";

import { useTranslations } from "next-intl";
import { ToneIcon } from "@/components/ui";
import type { PartResult } from "./run-parts";

/** What was not answered of many, each reason once. */
export function Failures({ results }: { results: readonly PartResult[] }) {
  const t = useTranslations("predictions");
  const counts = new Map<string, number>();
  for (const { answer, failure } of results) {
    if (answer?.ok) continue;
    const words = failure ?? answer?.message ?? t("statusOnly", { status: answer?.status ?? 0 });
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  return (
    <ul role="alert" className="mt-3 border-l-2 border-bad py-1 pl-4 text-dense">
      {[...counts].map(([words, count]) => (
        <li key={words} className="flex items-baseline gap-2">
          <ToneIcon tone="bad" />
          <span className="min-w-0 break-words">{t("failedTimes", { count, words })}</span>
        </li>
      ))}
    </ul>
  );
}
