import {
  type Precision,
  type PrecisionSubject,
  type PrecisionTrial,
  precisionTrials,
  runGraph,
} from "@/engines";
import type { PrecisionTry } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import {
  type Agreement,
  answerRows,
  answersClasses,
  classReader,
  compareAnswers,
  ownClasses,
} from "../../agreement";
import { tensorsOfRows } from "../../rows";

export interface PrecisionSearch extends PrecisionSubject {
  readonly tests: Rows;
  /** Part of the test rows that must agree with the float model. */
  readonly wanted: number;
}

/** What is known before the first try. */
export interface SearchStart {
  readonly measure: "class" | "value";
  readonly floatAccuracy: number | null;
  readonly mostTries: number;
  /** From the finest on; ends by itself. A try that holds is followed by a coarser one. */
  readonly tries: Iterator<PrecisionTry>;
}

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
  const trialOf = precisionTrials(search);
  const first = trialOf(finest);
  const judge = judgeOf(search, first);
  return {
    measure: judge.isOfClasses ? "class" : "value",
    floatAccuracy: judge.compare(judge.floats).floatAccuracy ?? null,
    mostTries: 1 + parts.reduce((sum, { least }) => sum + 8 - least, 0),
    tries: triesOf((precision) => {
      const trial = precision === finest ? first : trialOf(precision);
      return judged(precision, trial, { search, judge });
    }),
  };
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
  const [answers = new Float64Array()] = answerRows(integerGraph, io, search.tests);
  const { agreement, accuracy } = judge.compare(answers);
  const share = agreement ?? judge.shareNear(answers);
  const { lut: cells, ...sizes } = estimate;
  return {
    ...precision,
    weightBits: [...precision.weightBits],
    agreement: share,
    accuracy: accuracy ?? null,
    holds: share >= search.wanted,
    ...sizes,
    cells,
  };
}

/** How the answers of any precision are held against the float model's. */
interface Judge {
  readonly floats: Float64Array;
  readonly isOfClasses: boolean;
  compare(answers: Float64Array): Agreement;
  /** Part of the rows all of whose values lie near the float model's. */
  shareNear(answers: Float64Array): number;
}

function judgeOf(search: PrecisionSearch, { io }: PrecisionTrial): Judge {
  const { tests } = search;
  const [output] = io.outputs;
  const floats = floatAnswers(search);
  const size = floats.length / Math.max(1, tests.count);
  const known = { names: null, labels: tests.labels, outputs: io.outputs.length };
  const { rows, classOf } = ownClasses(floats, tests, {
    size,
    classOf: output ? classReader(output, answersClasses(output, known)) : null,
  });
  const near = nearShare * rangeOf(floats);
  return {
    floats,
    isOfClasses: classOf !== null,
    compare: (answers) => compareAnswers(answers, floats, { rows, size, classOf }),
    shareNear(answers) {
      const far = new Set<number>();
      floats.forEach((value, at) => {
        // Not so for what is no number.
        const isNear = Math.abs(value - (answers[at] ?? 0)) <= near;
        if (!isNear) far.add(Math.floor(at / size));
      });
      return (rows.count - far.size) / Math.max(1, rows.count);
    },
  };
}

/** The model's own answers, row by row: any batch would do, and one row needs least memory. */
function floatAnswers({ graph, tests }: PrecisionSearch): Float64Array {
  const [output] = graph.outputs;
  if (!output) return new Float64Array();
  const answers: number[] = [];
  for (let row = 0; row < tests.count; row++) {
    const values = tests.values.subarray(row * tests.width, (row + 1) * tests.width);
    const feeds = tensorsOfRows(graph.inputs, { values, width: tests.width }, 1);
    answers.push(...(runGraph(graph, feeds).get(output.name)?.values ?? []));
  }
  return Float64Array.from(answers);
}

function rangeOf(values: Float64Array): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return Math.max(0, most - least);
}
