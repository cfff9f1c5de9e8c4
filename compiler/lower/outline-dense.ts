import type { Outline } from "@/lib/common/contract";
import { type AdderCount, countAdders } from "../integer/count-adders";
import { numbering } from "../integer/numbering";
import type { DenseNetwork } from "../model/dense-network";
import { weightRounding } from "../passes/rounded-weights";
import type { InputRange } from "../passes/standardise";
import { reachOf } from "../passes/sum-width";
import { standardiseNetwork } from "./dense";

/** As much of a network of dense layers as forecasts need. */
export function outlineDense(network: DenseNetwork, inputRange: InputRange | null): Outline {
  const { layers } = network;
  const numberOf = numbering();
  const adders = addersByBits(network, inputRange);
  return {
    kind: "dense",
    inputs: layers[0]?.inputSize ?? 0,
    layers: layers.map(({ inputSize, outputSize, weights, elementwise }, index) => ({
      outputs: outputSize,
      reach: reachOf(weights, inputSize),
      table: elementwise ? numberOf(JSON.stringify(elementwise)) : null,
      digits: adders.map((each) => each[index]?.digits ?? 0),
      levels: adders.map((each) => each[index]?.levels ?? 0),
    })),
  };
}

/** Bits of weights that can be asked for. */
const weightBits = [2, 3, 4, 5, 6, 7, 8] as const;

/** What adders come to at each number of weight bits, by layer. */
function addersByBits(network: DenseNetwork, inputRange: InputRange | null): AdderCount[][] {
  const size = network.layers[0]?.inputSize;
  const isKnown = Object.values(inputRange ?? {}).every((list) => list?.length === size);
  const range = isKnown ? inputRange : null;
  const { layers, standardisation } = standardiseNetwork(network, range, null);
  const roundedTo = weightRounding(layers, standardisation.rows);
  return weightBits.map((bits) => {
    const weights = roundedTo(bits);
    return countAdders(
      layers.map(({ inputSize, outputSize, elementwise }, index) => ({
        inputSize,
        outputSize,
        weights: weights[index] ?? [],
        hasTable: elementwise !== undefined,
      })),
    );
  });
}
