import type {
  Accuracy,
  Calibration,
  Clipping,
  OutputAccuracy,
  WorstRow,
} from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import { answerAt } from "../../agreement";
import { countSharedRows } from "../../rows";
import type { ComparedOutput } from "./compare-outputs";

export interface AccuracyRequest {
  /** Rows to test with, and whether they are made up. */
  readonly rows: Rows;
  readonly synthetic: boolean;
  /** What ranges were chosen from, and the rows themselves where they were given. */
  readonly calibration: Calibration | null;
  readonly calibrationRows: Rows | null;
  /** Names of the classes, where they have any. */
  readonly classNames: readonly string[] | null;
  readonly outputs: readonly [ComparedOutput, ...ComparedOutput[]];
  readonly clipping: Clipping[];
}

const worstCount = 5;
/** Of a row that is shown: enough for tables of features, not for pictures. */
const shownFeatures = 64;
/** More classes than this are no picture any more. */
const mostClasses = 32;

/** How near the integer graph comes to the float model: see `accuracySchema`. Pure. */
export function measureAccuracy(request: AccuracyRequest): Accuracy {
  const { calibration, calibrationRows, clipping } = request;
  const [first] = request.outputs;
  const { rows, float, integer, size, classOf } = first;
  const answers = Array.from({ length: rows.count }, (_, row) => {
    const floats = answerAt(float, row, size);
    const integers = answerAt(integer, row, size);
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
  const figures = figuresOf(first);
  const { labelled } = figures;
  return {
    calibration,
    test: {
      rows: rows.count,
      source: rows.source,
      synthetic: request.synthetic,
      shared: calibrationRows === null ? 0 : countSharedRows(rows, calibrationRows),
    },
    labelled,
    agreement: figures.agreement,
    floatAccuracy: figures.floatAccuracy,
    integerAccuracy: figures.integerAccuracy,
    maxAbsError: figures.maxAbsError,
    clipping,
    confusion: classOf && confusionOf(answers, { labelled, names: request.classNames }),
    worst: answers
      .toSorted((a, b) => differs(b) - differs(a) || b.absError - a.absError || a.row - b.row)
      .slice(0, worstCount)
      .map((answer): WorstRow => ({ ...answer, ...shownRow(rows, answer.row) })),
    outputs: request.outputs.map(figuresOf),
  };
}

const figuresOf = ({ name, classOf, rows, agreement }: ComparedOutput): OutputAccuracy => ({
  output: name,
  labelled: classOf !== null && rows.labels !== null,
  agreement: agreement.agreement,
  floatAccuracy: agreement.floatAccuracy ?? null,
  integerAccuracy: agreement.accuracy ?? null,
  maxAbsError: agreement.maxAbsError,
  meanAbsError: agreement.meanAbsError ?? 0,
});

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
