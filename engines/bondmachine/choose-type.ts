import { type DenseFloats, type DenseLayer, runDenseNetwork } from "@/compiler";
import { machineGraph, runMachine } from "../reference/machine-graph";
import { connectionsOf } from "../reference/machine-layer";
import { type NumberTypeId, numberTypeOf } from "../reference/number-type";
import type { NamedLayer } from "./prune";
import { probabilitiesOf } from "./softmax-trial";

/** How a type does on rows: what chooses it, and what the report says of it. */
export interface TypeTrial {
  readonly type: NumberTypeId;
  readonly rows: number;
  /** Rows of which some product or sum lies beyond the type, and wraps around. */
  readonly overflows: number;
  /** Share of rows with the class of the float network; of lone outputs, whose value lies within 1 % of its range. */
  readonly agreement: number;
}

/** What a type must reach to be taken by itself. */
const enough = 0.99;
const nearBy = 0.01;

/** The first type that keeps the model, and how it and those before it did. @param candidates The cheapest first. */
export function chooseType(
  candidates: readonly NumberTypeId[],
  tryType: (type: NumberTypeId) => TypeTrial,
): { readonly chosen: NumberTypeId; readonly trials: readonly TypeTrial[] } {
  const trials: TypeTrial[] = [];
  for (const candidate of candidates) {
    const trial = tryType(candidate);
    trials.push(trial);
    if (trial.overflows === 0 && trial.agreement >= enough) break;
  }
  return { chosen: trials.at(-1)?.type ?? "float32", trials };
}

/** Runs rows through a machine of a type and through the float network. */
export function trialOf(
  type: NumberTypeId,
  { layers: floats, rows, names }: Pick<DenseFloats, "layers" | "rows" | "names">,
  layers: readonly NamedLayer[],
): TypeTrial {
  const graph = machineGraph(layers, type, names);
  const { toWord, toReal } = numberTypeOf(type);
  const isSoftmax = layers.at(-1)?.softmaxTerms !== undefined;
  const answers = rows.map((row) => ({
    float: isSoftmax ? probabilitiesOf(scoresOf(floats, row)) : scoresOf(floats, row),
    machine: Array.from(runMachine(graph, Array.from(row, toWord)).output, toReal),
  }));
  const all = answers.flatMap(({ float }) => float);
  const range = Math.max(...all) - Math.min(...all);
  const agrees = ({ float, machine }: (typeof answers)[number]) =>
    float.length > 1
      ? indexOfLargest(float) === indexOfLargest(machine)
      : Math.abs((float[0] ?? 0) - (machine[0] ?? 0)) <= nearBy * range;
  const reach = reachOf(type);
  return {
    type,
    rows: rows.length,
    overflows: rows.filter((row) => !(largestOf(layers, row) < reach)).length,
    agreement: answers.filter(agrees).length / Math.max(1, answers.length),
  };
}

const scoresOf = (layers: readonly DenseLayer[], row: Float64Array): number[] =>
  Array.from(runDenseNetwork(layers, row).at(-1) ?? []);

const indexOfLargest = (values: readonly number[]): number => values.indexOf(Math.max(...values));

/** What no value of a type reaches. */
function reachOf(type: NumberTypeId): number {
  const { width, fraction, float } = numberTypeOf(type);
  if (float === null) return 2 ** (width - 1 - fraction);
  return float === "FP16" ? 65_520 : 2 ** 128;
}

/** The largest size of anything on the way, computed without bounds: inputs, constants, products, partial sums. */
function largestOf(layers: readonly NamedLayer[], row: Float64Array): number {
  let largest = 0;
  const see = (value: number) => {
    largest = Math.max(largest, Math.abs(value));
    return value;
  };
  let values: readonly number[] = Array.from(row, see);
  for (const layer of layers) {
    const before = values;
    if (layer.softmaxTerms !== undefined) {
      for (const score of before) seePowers(score, layer.softmaxTerms, see);
      continue;
    }
    values = layer.bias.map((bias, output) => {
      const sum = connectionsOf(layer, output).reduce(
        (total, { from, weight }) => see(total + see(see(weight) * (before[from] ?? 0))),
        see(bias),
      );
      return layer.relu ? Math.max(0, sum) : sum;
    });
  }
  return largest;
}

/** What a softmax computes of a score on the way to its exponential. */
function seePowers(score: number, terms: number, see: (value: number) => number): void {
  let power = 1;
  for (let term = terms; term >= 1; term--) power = see(1 + see(score * power) / term);
}
