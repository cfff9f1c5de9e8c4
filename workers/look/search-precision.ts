import {
  type PrecisionSubject,
  type PrecisionTrial,
  precisionTrials,
  type RealTensor,
  runGraph,
} from "@/engines";
import type { PrecisionTry } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import { answerRows } from "../build/stages/agreement";
import { classReader } from "../build/stages/predicted-class";

export interface PrecisionSearch extends PrecisionSubject {
  readonly tests: Rows;
  /** Part of the test rows that must agree with the float model. */
  readonly wanted: number;
}

export interface SearchStart {
  readonly measure: "class" | "value";
  readonly floatAccuracy: number | null;
  readonly mostTries: number;
  /** From the finest on; ends by itself. A try that holds is followed by a coarser one. */
  readonly tries: Iterator<PrecisionTry>;
}

type Precision = Parameters<ReturnType<typeof precisionTrials>>[0];
type Values = ArrayLike<number>;

const finest: Precision = { inputBits: 8, weightBits: [8], activationBits: 8 };
/** Of a part of the precision, its fewest bits. Weights first: they cost most cells. */
const parts = [
  { name: "weightBits", least: 2 },
  { name: "activationBits", least: 2 },
  { name: "inputBits", least: 4 },
] as const;
/** Without classes, values this near to the float model's count as equal, as a share of its range. */
const nearShare = 0.01;

/**
 * Looks for the fewest bits with which enough test rows agree with the float model: one part after the other, a bit less
 * each time, as long as it holds. A try takes as long as quantising and running all rows does.
 *
 * @throws {AppError} what `precisionTrials` and its first trial refuse.
 */
export function searchPrecision(search: PrecisionSearch): SearchStart {
  const { tests } = search;
  const trialOf = precisionTrials(search);
  const first = trialOf(finest);
  const floats = floatRows(search);
  const judge = { floats, range: rangeOf(floats), classOf: classOfTrial(first, tests) };
  const { classOf } = judge;
  return {
    measure: classOf ? "class" : "value",
    floatAccuracy: accuracyOf(floats, judge, tests),
    mostTries: 1 + parts.reduce((sum, { least }) => sum + 8 - least, 0),
    tries: triesOf((precision) => {
      const trial = precision === finest ? first : trialOf(precision);
      return judged(precision, trial, { search, judge });
    }),
  };
}

interface Judge {
  readonly floats: readonly Values[];
  readonly range: number;
  readonly classOf: ((answer: Values) => number) | null;
}

function* triesOf(tryOut: (precision: Precision) => PrecisionTry): Generator<PrecisionTry> {
  const first = tryOut(finest);
  yield first;
  if (!first.holds) return;
  let best = finest;
  for (const { name, least } of parts) {
    for (let bits = 7; bits >= least; bits--) {
      const next = { ...best, [name]: name === "weightBits" ? [bits] : bits };
      const tried = tryOut(next);
      yield tried;
      if (!tried.holds) break;
      best = next;
    }
  }
}

function judged(
  precision: Precision,
  { integerGraph, io, estimate }: PrecisionTrial,
  { search, judge }: { readonly search: PrecisionSearch; readonly judge: Judge },
): PrecisionTry {
  const { tests, wanted } = search;
  const integers = split(answerRows(integerGraph, io, tests), tests.count);
  const agreement = shareOf(integers, (answer, row) =>
    agrees(answer, judge.floats[row] ?? [], judge),
  );
  const { lut: cells, ...sizes } = estimate;
  return {
    ...precision,
    weightBits: [...precision.weightBits],
    agreement,
    accuracy: accuracyOf(integers, judge, tests),
    holds: agreement >= wanted,
    ...sizes,
    cells,
  };
}

/** The model's own answers, row by row: any batch would do, and one row needs least memory. */
function floatRows({ graph, tests }: PrecisionSearch): Float64Array[] {
  const [input] = graph.inputs;
  const [output] = graph.outputs;
  if (!input || !output) return [];
  const shape = input.shape.map((size) => Math.max(1, size));
  return Array.from({ length: tests.count }, (_, row) => {
    const values = tests.values.subarray(row * tests.width, (row + 1) * tests.width);
    const feed: RealTensor = { shape, values };
    return Float64Array.from(
      runGraph(graph, new Map([[input.name, feed]])).get(output.name)?.values ?? [],
    );
  });
}

function classOfTrial({ io }: PrecisionTrial, { labels }: Rows): Judge["classOf"] {
  const [output] = io.outputs;
  if (!output) return null;
  return classReader(output, output.activation !== "none" || labels !== null);
}

function agrees(answer: Values, float: Values, { classOf, range }: Judge): boolean {
  if (classOf) return classOf(answer) === classOf(float);
  return Array.from(float).every(
    (value, at) => Math.abs(value - (answer[at] ?? 0)) <= nearShare * range,
  );
}

function accuracyOf(
  answers: readonly Values[],
  { classOf }: Judge,
  { labels }: Rows,
): number | null {
  return classOf && labels
    ? shareOf(answers, (answer, row) => classOf(answer) === labels[row])
    : null;
}

function rangeOf(rows: readonly Values[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    least = Math.min(least, ...Array.from(row));
    most = Math.max(most, ...Array.from(row));
  }
  return Math.max(0, most - least);
}

function split(values: Float64Array, rows: number): Float64Array[] {
  const size = values.length / Math.max(1, rows);
  return Array.from({ length: rows }, (_, row) => values.subarray(row * size, (row + 1) * size));
}

function shareOf(rows: readonly Values[], holds: (answer: Values, row: number) => boolean): number {
  return rows.filter(holds).length / Math.max(1, rows.length);
}
