import { countAdders } from "../../integer/count-adders";
import type { IntegerGraph } from "../../integer/integer-graph";
import { type Layer, layersOf } from "../../integer/layers";
import type { UnrolledOutline } from "./unrolled-outline";

/** Bits of weights that can be asked for. */
const weightBits = [2, 3, 4, 5, 6, 7, 8] as const;

/**
 * Digits and levels of each layer, at the model's own bits or at each number of bits that can be asked for.
 *
 * @param graph At the model's own bits, or at the most that can be asked for.
 */
export function countedLayers(
  graph: IntegerGraph,
  areBitsChosen: boolean,
): UnrolledOutline["layers"] {
  const layers = layersOf(graph);
  const counts = (areBitsChosen ? weightBits : [null]).map((bits) =>
    countAdders(
      layers.map((layer) => ({
        ...layer.dense,
        weights: bits === null ? layer.dense.weights : narrowed(layer, bits),
        hasTable: layer.table !== null,
      })),
    ),
  );
  return layers.map(({ dense, requantize, table }, index) => ({
    outputs: dense.outputSize,
    inputs: dense.inputSize,
    digits: counts.map((each) => each[index]?.digits ?? 0),
    levels: counts.map((each) => each[index]?.levels ?? 0),
    valueBits: (table ?? requantize).width,
    tableBits: table?.inputWidth ?? null,
  }));
}

/** Weights with fewer bits: grids are powers of two, so they are the same numbers, rounded once more. */
function narrowed({ dense: { weights, weightWidth } }: Layer, bits: number): readonly number[] {
  const step = 2 ** Math.max(0, weightWidth - bits);
  return step === 1 ? weights : weights.map((weight) => Math.round(weight / step));
}
