import type { Accuracy, Calibration, Clipping, WorstRow } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import { type Agreement, answerAt } from "../../agreement";
import { countSharedRows } from "../../rows";

export interface AccuracyRequest {
  /** Rows to test with, and whether they are made up. */
  readonly rows: Rows;
  readonly synthetic: boolean;
  /** What ranges were chosen from, and the rows themselves where they were given. */
  readonly calibration: Calibration | null;
  readonly calibrationRows: Rows | null;
  /** Names of the classes, where they have any. */
  readonly classNames: readonly string[] | null;
  /** `size` values a row, as clients get them. */
  readonly float: ArrayLike<number>;
  readonly integer: ArrayLike<number>;
  readonly size: number;
  /** What comparing those came to. */
  readonly agreement: Agreement;
  readonly clipping: Clipping[];
  /** Null without classes. */
  readonly classOf: ((answer: ArrayLike<number>) => number) | null;
}

const worstCount = 5;
/** Of a row that is shown: enough for tables of features, not for pictures. */
const shownFeatures = 64;
/** More classes than this are no picture any more. */
const mostClasses = 32;

/** How near the integer graph comes to the float model: see `accuracySchema`. Pure. */
export function measureAccuracy(request: AccuracyRequest): Accuracy {
  const { rows, float, integer, classOf, agreement, clipping } = request;
  const { calibration, calibrationRows } = request;
  const answers = Array.from({ length: rows.count }, (_, row) => {
    const floats = answerAt(float, row, request.size);
    const integers = answerAt(integer, row, request.size);
    return {
      row,
      float: floats,
      integer: integers,
      floatClass: classOf ? classOf(floats) : null,
      integerClass: classOf ? classOf(integers) : null,
      label: rows.labels?.[row] ?? null,
      absError: Math.max(0, ...floats.map((value, at) => Math.abs(value - (integers[at] ?? 0)))),
    };
  });
  const labelled = classOf !== null && rows.labels !== null;
  return {
    calibration,
    test: {
      rows: rows.count,
      source: rows.source,
      synthetic: request.synthetic,
      shared: calibrationRows === null ? 0 : countSharedRows(rows, calibrationRows),
    },
    labelled,
    agreement: agreement.agreement,
    floatAccuracy: agreement.floatAccuracy ?? null,
    integerAccuracy: agreement.accuracy ?? null,
    maxAbsError: agreement.maxAbsError,
    clipping,
    confusion: classOf && confusionOf(answers, { labelled, names: request.classNames }),
    worst: answers
      .toSorted((a, b) => differs(b) - differs(a) || b.absError - a.absError || a.row - b.row)
      .slice(0, worstCount)
      .map((answer): WorstRow => ({ ...answer, ...shownRow(rows, answer.row) })),
  };
}

interface Classified {
  readonly floatClass: number | null;
  readonly integerClass: number | null;
  readonly label: number | null;
}

/** A row that changes its class is worse than one that only moves. */
const differs = ({ floatClass, integerClass }: Classified) => Number(floatClass !== integerClass);

function shownRow(rows: Rows, row: number): Pick<WorstRow, "row" | "features" | "featureCount"> {
  const first = row * rows.width;
  const end = first + Math.min(rows.width, shownFeatures);
  return {
    row: rows.numbers?.[row] ?? row + 1,
    features: [...rows.values.subarray(first, end)],
    featureCount: rows.width,
  };
}

function confusionOf(
  answers: readonly Classified[],
  { labelled, names }: { readonly labelled: boolean; readonly names: readonly string[] | null },
): Accuracy["confusion"] {
  const all = answers.flatMap(({ floatClass, integerClass, label }) => [
    floatClass ?? 0,
    integerClass ?? 0,
    labelled ? (label ?? 0) : 0,
  ]);
  const count = Math.max(names?.length ?? 0, 2, ...all.map((each) => each + 1));
  if (count > mostClasses || all.some((each) => each < 0)) return null;
  const counts = (from: keyof Classified, to: keyof Classified) => {
    const matrix = Array.from({ length: count }, () => Array<number>(count).fill(0));
    for (const answer of answers) {
      const line = matrix[answer[from] ?? 0];
      const column = answer[to] ?? 0;
      if (line) line[column] = (line[column] ?? 0) + 1;
    }
    return matrix;
  };
  return {
    classes: Array.from({ length: count }, (_, at) => names?.[at] ?? String(at)),
    floatToInteger: counts("floatClass", "integerClass"),
    labelToInteger: labelled ? counts("label", "integerClass") : null,
    labelToFloat: labelled ? counts("label", "floatClass") : null,
  };
}
