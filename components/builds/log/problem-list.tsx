import { useTranslations } from "next-intl";
import { formatCount, ToneIcon } from "@/components/ui";
import type { LogOutline, LogProblem } from "@/lib/common/contract";
import { type ProblemId, problemPatterns } from "@/lib/common/log-outline";

interface ProblemListProps {
  readonly outline: LogOutline;
  readonly onShow: (n: number) => void;
}

/** Each warning and error of a log once: how often, why, what to change, and the way to its first line. */
export function ProblemList({ outline, onShow }: ProblemListProps) {
  const t = useTranslations("builds.log");
  const { problems, moreProblems } = outline;
  if (problems.length === 0) return null;
  const sorted = problems.toSorted(
    (a, b) => Number(b.level === "error") - Number(a.level === "error") || a.first - b.first,
  );
  const linesOf = (level: LogProblem["level"]) =>
    problems.filter((each) => each.level === level).reduce((sum, { count }) => sum + count, 0);
  const [errors, warnings] = [linesOf("error"), linesOf("warning")];
  const words = [
    errors > 0 ? t("errors", { count: errors }) : null,
    warnings > 0 ? t("warnings", { count: warnings }) : null,
  ];
  return (
    <details className="mb-3 border-l-2 border-line-strong pl-3" open={errors > 0}>
      <summary className="cursor-pointer py-1 text-dense">
        {t("problems", {
          words: words.filter((word) => word !== null).join(", "),
          kinds: problems.length,
        })}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label={t("problemList")} tabIndex={0} className="max-h-72 overflow-y-auto">
        <ul>
          {sorted.map((problem) => (
            <Problem key={problem.key} problem={problem} onShow={onShow} />
          ))}
        </ul>
        {moreProblems > 0 ? (
          <p className="py-1 text-dense text-muted">
            {t("moreProblems", { shown: formatCount(moreProblems) })}
          </p>
        ) : null}
      </section>
    </details>
  );
}

function Problem({
  problem: { level, tool, text, first, count, id, stage },
  onShow,
}: {
  readonly problem: LogProblem;
  readonly onShow: (n: number) => void;
}) {
  const t = useTranslations("builds");
  const known = knownId(id);
  return (
    <li className="border-t border-line py-2 text-dense">
      <div className="flex items-baseline gap-2">
        <ToneIcon tone={level === "error" ? "bad" : "warn"} />
        <div className="min-w-0 flex-1">
          <p>
            <span className="sr-only">{t(`log.levels.${level}`)}: </span>
            <span className="text-muted">
              {tool || stage}
              {count > 1 ? ` · ${formatCount(count)} ×` : ""}
            </span>{" "}
            <code className="break-words">{text}</code>
          </p>
          {known ? (
            <p className="mt-0.5 max-w-[80ch]">
              {t(`problems.${known}.cause`)} <b>{t("log.change")}</b>{" "}
              {t(`problems.${known}.change`)}
            </p>
          ) : null}
        </div>
        <button type="button" className="btn btn-quiet btn-dense" onClick={() => onShow(first)}>
          {t("log.line", { n: first })}
        </button>
      </div>
    </li>
  );
}

/** One of those that we have words for; a log may be of a later version. */
const knownId = (id: string | null): ProblemId | null =>
  problemPatterns.find((each) => each.id === id)?.id ?? null;
