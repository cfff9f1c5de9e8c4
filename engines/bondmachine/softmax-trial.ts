import { type DenseFloats, runDenseNetwork } from "@/compiler";
import { fail } from "@/lib/common/errors";
import { type MachineGraph, runMachine } from "../reference/machine-graph";
import { numberTypeOf } from "../reference/number-type";
import { type ScoreRange, scoresHeld, softmaxReach } from "./softmax-reach";

/** How a machine's own softmax does on rows. */
export interface SoftmaxTrial {
  readonly terms: number;
  /** The scores that so many terms hold, and those that rows have. */
  readonly reach: ScoreRange;
  readonly scores: ScoreRange;
  readonly rows: number;
  /** Rows with a score that the terms do not hold. */
  readonly beyond: number;
  /** The largest distance of an answer from the exact probability. */
  readonly worst: number;
  /** Rows with an answer below 0. */
  readonly negative: number;
}

/**
 * Runs rows through a machine that ends in a softmax, and through the float network with an exact one. Null: it ends in none.
 *
 * @throws {AppError} `OPTION_INVALID` where the machine's answer to a row is no number.
 */
export function softmaxTrial(
  graph: MachineGraph,
  { layers, rows }: Pick<DenseFloats, "layers" | "rows">,
): SoftmaxTrial | null {
  const terms = graph.nodes.at(-1)?.softmaxTerms;
  if (terms === undefined) return null;
  const { toWord, toReal } = numberTypeOf(graph.type);
  const answers = rows.map((row) => {
    const scores = Array.from(runDenseNetwork(layers, row).at(-1) ?? []);
    const answer = Array.from(runMachine(graph, Array.from(row, toWord)).output, toReal);
    return { scores, answer, exact: probabilitiesOf(scores) };
  });
  refuseNoNumbers(answers, terms);
  const distances = answers.flatMap(({ answer, exact }) =>
    answer.map((value, at) => Math.abs(value - (exact[at] ?? 0))),
  );
  const scores = answers.flatMap((each) => each.scores);
  return {
    terms,
    reach: softmaxReach(terms),
    scores: [smallest(scores), largest(scores)],
    rows: rows.length,
    beyond: answers.filter((each) => !scoresHeld(each.scores, terms)).length,
    worst: Math.max(0, largest(distances)),
    negative: answers.filter(({ answer }) => answer.some((value) => value < 0)).length,
  };
}

function refuseNoNumbers(
  answers: readonly { readonly scores: readonly number[]; readonly answer: readonly number[] }[],
  terms: number,
): void {
  const lost = answers.filter(({ answer }) => !answer.every(Number.isFinite));
  if (lost.length === 0) return;
  const sizes = lost.flatMap(({ scores }) => scores.map(Math.abs));
  throw fail(
    "OPTION_INVALID",
    `Softmax in hardware, with expprec ${terms}, answers no number to ${lost.length} of ${answers.length} rows: their scores reach ${largest(sizes).toPrecision(2)}.`,
    {
      field: "options.softmax",
      hint: "Leave softmax to the host, which takes scores of any size.",
    },
  );
}

/** Softmax in double precision. */
export function probabilitiesOf(scores: readonly number[]): number[] {
  const most = largest(scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
const smallest = (values: readonly number[]): number => -largest(values.map((value) => -value));
