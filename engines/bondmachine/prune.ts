import type { DenseLayer } from "@/compiler";
import type { MachineLayer } from "../reference/machine-layer";

/** A layer of a machine, under the name of the model's own node. */
export interface NamedLayer extends MachineLayer {
  readonly name: string;
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
  const limit = share * weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const at = (output: number, input: number) => output * inputSize + input;
  const size = (place: number) => Math.abs(weights[place] ?? 0);
  const heaviest = (places: readonly number[]) =>
    places.reduce((best, place) => (size(place) > size(best) ? place : best), places[0] ?? 0);
  const count = (length: number) => Array.from({ length }, (_, index) => index);
  const kept = new Set([
    ...count(outputSize).map((output) =>
      heaviest(count(inputSize).map((each) => at(output, each))),
    ),
    ...count(inputSize).map((input) => heaviest(count(outputSize).map((each) => at(each, input)))),
  ]);
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
