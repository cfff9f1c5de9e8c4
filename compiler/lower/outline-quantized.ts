import type { Outline } from "@/lib/common/contract";
import { arrayRefusal } from "../architectures/array/takes";
import { countAdders } from "../integer/count-adders";
import type { IntegerGraph } from "../integer/integer-graph";
import { layersOf } from "../integer/layers";
import { numbering } from "../integer/numbering";
import { reachOf } from "../passes/sum-width";

/** As much of a quantised network as forecasts need. */
export function outlineQuantized(graph: IntegerGraph): Outline {
  const numberOf = numbering();
  const layers = layersOf(graph);
  const adders = countAdders(
    layers.map(({ dense, table }) => ({ ...dense, hasTable: table !== null })),
  );
  return {
    kind: "dense",
    inputs: graph.input.size,
    layers: layers.map(({ dense, table }, index) => ({
      outputs: dense.outputSize,
      reach: reachOf(dense.weights, dense.inputSize),
      table: table ? numberOf(JSON.stringify(table.values)) : null,
      ...(table ? { tableBits: table.inputWidth } : {}),
      weightBits: dense.weightWidth,
      ...adders[index],
    })),
    quantized: {
      inputBits: graph.input.width,
      outputBits: graph.output.width,
      arrayRefusal: arrayRefusal(graph),
    },
  };
}
