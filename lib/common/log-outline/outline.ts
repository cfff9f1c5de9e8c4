import type { LogLine, LogOutline, LogProblem } from "@/lib/common/contract";
import { problemPatterns } from "./patterns";
import { plainLine } from "./plain-line";

/** Problems that are told apart; those beyond are only counted. */
const mostProblems = 200;
/** Of a problem's text. */
const mostCharacters = 400;
/** Stages in a row that are told apart; more would be no outline. */
const mostFolds = 2000;

/** Of a log without lines. */
export const emptyOutline: LogOutline = {
  lines: 0,
  folds: [],
  problems: [],
  moreProblems: 0,
  firstError: null,
};

/**
 * The outline of a log that has grown. Its lines follow on those of the earlier outline; some that it has already are passed over.
 *
 * @param earlier Is left as it was.
 */
export function extendOutline(earlier: LogOutline, lines: readonly LogLine[]): LogOutline {
  const folds = [...earlier.folds];
  const problems = new Map(earlier.problems.map((problem) => [problem.key, problem]));
  let { firstError, moreProblems, lines: count } = earlier;
  for (const line of lines) {
    if (line.n !== count + 1) continue;
    count = line.n;
    const [warnings, errors] = [line.level === "warning" ? 1 : 0, line.level === "error" ? 1 : 0];
    const last = folds.at(-1);
    if (last && (last.stage === line.stage || folds.length >= mostFolds))
      folds[folds.length - 1] = {
        ...last,
        ...{ last: line.n, lastTime: line.time },
        ...{ warnings: last.warnings + warnings, errors: last.errors + errors },
      };
    else
      folds.push({
        ...{ stage: line.stage, first: line.n, last: line.n, warnings, errors },
        ...{ firstTime: line.time, lastTime: line.time },
      });
    if (line.level === "info") continue;
    if (line.level === "error") firstError ??= line.n;
    const found = problemOf(line);
    const known = problems.get(found.key);
    if (known) problems.set(found.key, { ...known, count: known.count + 1 });
    else if (problems.size < mostProblems) problems.set(found.key, found);
    else moreProblems += 1;
  }
  return { lines: count, folds, problems: [...problems.values()], moreProblems, firstError };
}

/** Lines that say the same, but for figures, are one problem. */
function problemOf({ n, stage, level, text }: LogLine): LogProblem {
  const plain = plainLine(text).trim().slice(0, mostCharacters);
  const known = problemPatterns.find(({ test }) => test.test(plain));
  const key = known
    ? `${level} ${known.id}`
    : `${level} ${plain.replace(/0x[0-9a-f]+|\d+(?:\.\d+)?/gi, "#")}`;
  return {
    ...{ key, id: known?.id ?? null, tool: known?.tool ?? null, stage, text: plain },
    ...{ level: level === "error" ? "error" : "warning", first: n, count: 1 },
  };
}
