"use client";

import { useTranslations } from "next-intl";
import { ToneIcon } from "@/components/ui";
import type { RowAnswer } from "../answer/row-answer";

/** The answer in words, and whether it is the expected one. */
export function WinnerLine({
  answer,
  expected,
  labels,
}: {
  answer: RowAnswer;
  /** Index of the class that was expected; null: nothing is known of it. */
  expected: number | null;
  labels: readonly string[] | undefined;
}) {
  const t = useTranslations("predictions");
  const isRight = expected !== null && answer.best === expected;
  const name = expected === null ? "" : (labels?.[expected] ?? String(expected));
  return (
    <div className="mb-4">
      <p className="text-title leading-tight font-strong break-words">
        {answer.best === null
          ? answer.words
          : answer.score === null
            ? t("winner", { name: answer.words })
            : t("winnerScore", { name: answer.words, score: answer.score })}
      </p>
      {expected === null || answer.best === null ? null : (
        <p className="mt-1 flex items-baseline gap-2 text-dense">
          <ToneIcon tone={isRight ? "ok" : "warn"} />
          {isRight ? t("asExpected") : t("notExpected", { name })}
        </p>
      )}
    </div>
  );
}
