import { type DenseFloats, type DenseLayer, runDenseNetwork } from "@/compiler";
import type { ArtifactIo } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { softmaxLayer } from "../reference/machine-layer";
import type { Options } from "./options";
import type { NamedLayer } from "./prune";
import { type ScoreRange, termsFor } from "./softmax-reach";

/** Each processor holds all scores in registers, twice, beside ten of its own; there are 256. */
const mostScores = 120;

/**
 * Why a model's end is no softmax that a machine could do: one of all scores, and nothing else but the index of the largest.
 * Null: it is one.
 */
export function softmaxProblem(outputs: ArtifactIo["outputs"], scores: number): AppError | null {
  const refuse = (why: string) =>
    fail("OPTION_INVALID", `There is no softmax for the hardware: ${why}.`, {
      field: "options.softmax",
      hint: "Leave softmax to the host.",
    });
  const partial = outputs.find((output) => (output.scores?.count ?? scores) !== scores);
  if (partial) return refuse(`output ${partial.name} is of some of the scores only`);
  const other = outputs.find(
    ({ activation, elementwise }) => elementwise || !["softmax", "argmax"].includes(activation),
  );
  if (other) return refuse(`output ${other.name} ${endInWords(other)}`);
  const softmaxes = outputs.filter(({ activation }) => activation === "softmax");
  if (softmaxes.length === 0) return refuse("the model only tells the largest score");
  const split = softmaxes.find(({ shape }) => shape.at(-1) !== scores);
  if (split) return refuse(`output ${split.name} has several in a row`);
  if (scores > mostScores) return refuse(`it has ${scores} scores, and ${mostScores} are the most`);
  return null;
}

function endInWords({ activation, elementwise }: ArtifactIo["outputs"][number]): string {
  const function_ = elementwise?.at(-1)?.operator;
  if (function_) return `has ${function_} after the scores`;
  return activation === "none" ? "is the scores themselves" : `ends in ${activation}`;
}

/** Outputs of a core that answers probabilities: the host applies no softmax any more. */
export const withoutSoftmax = ({ inputs, outputs }: ArtifactIo): ArtifactIo => ({
  inputs,
  outputs: outputs.map((output) =>
    output.activation === "softmax"
      ? { ...output, activation: "none", activated: "softmax" }
      : output,
  ),
});

/**
 * Layers with the softmax behind them that was asked for; as they are where the host does it.
 *
 * @param expprec Terms; undefined: as few as hold the scores of the rows.
 * @throws {AppError} `OPTION_INVALID` where the model does not end in one.
 */
export function withSoftmax(
  layers: readonly NamedLayer[],
  floats: Pick<DenseFloats, "io" | "layers" | "rows">,
  { softmax, expprec }: Pick<Options, "softmax" | "expprec">,
): readonly NamedLayer[] {
  if (softmax === "host") return layers;
  const size = layers.at(-1)?.outputSize ?? 0;
  const problem = softmaxProblem(floats.io({ width: 32, fraction: 0 }).outputs, size);
  if (problem) throw problem;
  const terms = expprec ?? termsFor(scoreRange(floats.layers, floats.rows));
  return [...layers, { name: nameBeside(layers), ...softmaxLayer(size, terms) }];
}

/** Scores of rows by the float model, least and largest. */
export function scoreRange(
  layers: readonly DenseLayer[],
  rows: readonly Float64Array[],
): ScoreRange {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    for (const score of runDenseNetwork(layers, row).at(-1) ?? []) {
      low = Math.min(low, score);
      high = Math.max(high, score);
    }
  }
  return low > high ? [0, 0] : [low, high];
}

function nameBeside(layers: readonly NamedLayer[]): string {
  let name = "softmax";
  while (layers.some((layer) => layer.name === name)) name = `${name} of scores`;
  return name;
}
