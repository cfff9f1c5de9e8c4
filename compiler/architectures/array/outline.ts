import type { IntegerGraph } from "../../integer/integer-graph";
import type { ArrayOutline } from "./estimator";
import { layerShapesOf, sumWidthsOf } from "./stages";
import { arrayRefusal } from "./takes";

/** What the array's estimate depends on, of a graph whose tables are level. */
export function outlineArray(graph: IntegerGraph): ArrayOutline {
  const widths = sumWidthsOf(graph);
  return {
    layers: layerShapesOf(graph).map(({ inputSize, outputSize, table }, layer) => ({
      inputSize,
      outputSize,
      sumWidth: widths[layer] ?? 0,
      table: table ?? null,
    })),
    refusal: arrayRefusal(graph),
  };
}
