import { type Cell, writeCsvRecord } from "@/lib/common/rows";
import { type RowAnswer, rowAnswer } from "../answer/row-answer";
import type { ManyRun } from "./use-many";

/** What one row of many was answered. */
export interface RowResult extends RowAnswer {
  /** Counted from 0. */
  readonly row: number;
  /** Index of the class that was expected. */
  readonly expected: number | null;
  /** Null where nothing was expected, or the answer is not about classes. */
  readonly isRight: boolean | null;
  /** Of the request that held it. */
  readonly requestNs: number;
}

/** The answered rows of a run, in their order, whatever order the answers came in. */
export function rowResults(
  { results, labels }: Pick<ManyRun, "results" | "labels">,
  classes: readonly string[] | undefined,
): RowResult[] {
  const rows = results.flatMap(({ part, answer }) => {
    if (!answer?.ok) return [];
    return Array.from({ length: part.count }, (_, at): RowResult => {
      const row = part.first + at;
      const expected = labels?.[row] ?? null;
      const own = rowAnswer(answer.outputs, classes, at);
      const isRight = expected === null || own.best === null ? null : own.best === expected;
      return { ...own, row, expected, isRight, requestNs: answer.totalNs };
    });
  });
  return rows.sort((a, b) => a.row - b.row);
}

/** Rows per class that won, the most frequent first. */
export function countWinners(
  rows: readonly RowResult[],
): readonly { readonly words: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { best, words } of rows)
    if (best !== null) counts.set(words, (counts.get(words) ?? 0) + 1);
  return [...counts].map(([words, count]) => ({ words, count })).sort((a, b) => b.count - a.count);
}

/** The rows as a CSV file: what was expected, what was answered, and every value of the answer. */
export function csvOfRows(
  rows: readonly RowResult[],
  classes: readonly string[] | undefined,
): string {
  const width = Math.max(0, ...rows.map(({ values }) => values.length));
  const head = [
    "row",
    "expected",
    "answer",
    ...Array.from({ length: width }, (_, at) => `value ${at}`),
  ];
  const lines = rows.map(({ row, expected, words, values }): Cell[] => [
    row + 1,
    expected === null ? null : (classes?.[expected] ?? expected),
    words,
    ...values,
  ]);
  return [head, ...lines].map((cells) => writeCsvRecord(cells)).join("");
}
