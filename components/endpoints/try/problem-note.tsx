"use client";

import { useTranslations } from "next-intl";
import { ToneIcon } from "@/components/ui";
import type { RequestProblem } from "../request/check-request";
import type { TextChange } from "../request/json-tree";
import { fixWords, problemWords } from "./problem-words";

const mostShown = 5;

/** What is wrong with the request, each with its line, and a button where it can be mended. */
export function ProblemNote({
  problems,
  onFix,
  onShow,
}: {
  problems: readonly RequestProblem[];
  onFix: (change: TextChange) => void;
  /** Shows the place in the text. */
  onShow: (problem: RequestProblem) => void;
}) {
  const t = useTranslations("predictions");
  if (problems.length === 0) return null;
  return (
    <ul aria-label={t("problemsTitle")} className="mt-2 border-l-2 border-bad py-1 pl-4 text-dense">
      {problems.slice(0, mostShown).map((problem) => (
        <li
          key={`${problem.from} ${problem.code}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 py-0.5"
        >
          <span className="flex min-w-0 items-baseline gap-2">
            <ToneIcon tone="bad" />
            <span className="min-w-0 break-words">{problemWords(t, problem)}</span>
          </span>
          <button
            type="button"
            className="min-h-6 text-accent underline underline-offset-2"
            onClick={() => onShow(problem)}
          >
            {t("line", { line: problem.line })}
          </button>
          {problem.fix ? (
            <button
              type="button"
              className="btn btn-dense h-7!"
              onClick={() => problem.fix && onFix(problem.fix)}
            >
              {fixWords(t, problem.fix)}
            </button>
          ) : null}
        </li>
      ))}
      {problems.length > mostShown ? (
        <li className="text-muted">{t("moreProblems", { count: problems.length - mostShown })}</li>
      ) : null}
    </ul>
  );
}
