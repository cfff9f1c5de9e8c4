import type { DenseLayer } from "@/compiler";
import type { MachineLayer } from "../reference/machine-layer";
import { pruneSteps } from "./machine-outline";

/** A layer of a machine, under the name of the model's own node. */
export interface NamedLayer extends MachineLayer {
  readonly name: string;
}

const largestOf = (weights: DenseLayer["weights"]): number =>
  weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);

/** Places of connections that are kept whatever their weight: the heaviest of each output and of each input. */
function alwaysKept({
  inputSize,
  outputSize,
  weights,
}: Pick<DenseLayer, "inputSize" | "outputSize" | "weights">): ReadonlySet<number> {
  const at = (output: number, input: number) => output * inputSize + input;
  const size = (place: number) => Math.abs(weights[place] ?? 0);
  const heaviest = (places: readonly number[]) =>
    places.reduce((best, place) => (size(place) > size(best) ? place : best), places[0] ?? 0);
  const count = (length: number) => Array.from({ length }, (_, index) => index);
  return new Set([
    ...count(outputSize).map((output) =>
      heaviest(count(inputSize).map((each) => at(output, each))),
    ),
    ...count(inputSize).map((input) => heaviest(count(outputSize).map((each) => at(each, input)))),
  ]);
}

/** At each step of the option, from none left out to all that may be: connections left, and those of the widest output. */
export function connectionsLeft(layer: DenseLayer): [number, number][] {
  const { inputSize, outputSize, weights } = layer;
  const largest = largestOf(weights);
  const kept = alwaysKept(layer);
  // The last step at which a connection is still there, counted by output.
  const lasting = Array.from({ length: outputSize }, () =>
    Array.from({ length: pruneSteps + 1 }, () => 0),
  );
  weights.forEach((weight, place) => {
    const share = largest === 0 ? 1 : Math.abs(weight) / largest;
    const last = kept.has(place) ? pruneSteps : Math.floor(share * pruneSteps + 1e-9);
    const counts = lasting[Math.floor(place / inputSize)];
    if (counts) counts[last] = (counts[last] ?? 0) + 1;
  });
  const left = lasting.map(countsFromEnd);
  return Array.from({ length: pruneSteps + 1 }, (_, step) => {
    const each = left.map((counts) => counts[step] ?? 0);
    return [each.reduce((total, one) => total + one, 0), Math.max(0, ...each)];
  });
}

/** How many are counted at each place and behind it. */
function countsFromEnd(counts: readonly number[]): number[] {
  const sums = [...counts];
  for (let at = sums.length - 2; at >= 0; at--) sums[at] = (sums[at] ?? 0) + (sums[at + 1] ?? 0);
  return sums;
}

/**
 * A dense layer as a machine has it: without the connections whose weight is below a share of the largest. Each output and
 * each input keeps its heaviest: a processor without inputs would not wait for anything, and a value that nobody takes
 * would never count as received.
 *
 * @param share 0..1; 0 leaves nothing out.
 */
export function pruned(
  { name, inputSize, outputSize, weights, bias, relu }: DenseLayer,
  share: number,
): NamedLayer {
  const limit = share * largestOf(weights);
  const kept = alwaysKept({ inputSize, outputSize, weights });
  return {
    name,
    inputSize,
    outputSize,
    weights: Array.from(weights, (weight, place) =>
      Math.abs(weight) < limit && !kept.has(place) ? null : weight,
    ),
    bias: Array.from(bias),
    relu,
  };
}
