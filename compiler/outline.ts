import type { MapOutline, Outline } from "@/lib/common/contract";
import { arrayRefusal } from "./array-refusal";
import { hasMaps, readMapModel } from "./convolution";
import type { Layer as MapLayer } from "./convolution/layers";
import type { DenseLayer } from "./dense-network";
import type { Graph } from "./graph";
import type { IntegerGraph } from "./integer-graph";
import { layersOf } from "./layers";
import { legalise } from "./passes/legalise";
import { reachOf } from "./passes/sum-width";
import { lowerQuantized } from "./quantized/lower-quantized";
import { hasQuantizers } from "./quantized/quantizer";
import { hasTrees, lowerTrees, outlineOfTrees } from "./trees";
import { digitsOf } from "./unrolled";

/**
 * As much of a model as forecasts need: sizes and shapes.
 *
 * @throws {AppError} what the compiler refuses of any model, before a board is chosen.
 */
export function outlineOf(graph: Graph): Outline {
  if (hasTrees(graph)) {
    return { kind: "trees", ...outlineOfTrees(lowerTrees(graph).integerGraph) };
  }
  if (hasMaps(graph)) {
    const { inputSize, layers } = readMapModel(graph);
    return { kind: "maps", inputs: inputSize, layers: layers.map(mapOutline) };
  }
  if (hasQuantizers(graph)) return quantizedOutline(lowerQuantized(graph).integerGraph);
  return floatOutline(legalise(graph).layers);
}

function floatOutline(layers: readonly DenseLayer[]): Outline {
  const numberOf = numbering();
  return {
    kind: "dense",
    inputs: layers[0]?.inputSize ?? 0,
    layers: layers.map(({ inputSize, outputSize, weights, elementwise }) => ({
      outputs: outputSize,
      reach: reachOf(weights, inputSize),
      table: elementwise ? numberOf(JSON.stringify(elementwise)) : null,
    })),
  };
}

function quantizedOutline(graph: IntegerGraph): Outline {
  const numberOf = numbering();
  return {
    kind: "dense",
    inputs: graph.input.size,
    layers: layersOf(graph).map(({ dense, table }) => ({
      outputs: dense.outputSize,
      reach: reachOf(dense.weights, dense.inputSize),
      table: table ? numberOf(JSON.stringify(table.values)) : null,
      ...(table ? { tableBits: table.inputWidth } : {}),
      weightBits: dense.weightWidth,
      digits: digitsOf(dense),
    })),
    quantized: {
      inputBits: graph.input.width,
      outputBits: graph.output.width,
      arrayRefusal: arrayRefusal(graph),
    },
  };
}

/** Numbers things in the order in which they first come. */
function numbering(): (key: string) => number {
  const numbers = new Map<string, number>();
  return (key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
}

function mapOutline(layer: MapLayer): MapOutline {
  const { output } = layer;
  if (layer.kind === "add") {
    const { kind, from, relu } = layer;
    return { kind, from, output, relu };
  }
  if (layer.kind === "concat") {
    const { kind, from, channels } = layer;
    return { kind, from, channels, output };
  }
  const { from, input, window } = layer;
  if (layer.kind === "max-pool") return { kind: layer.kind, from, input, output, window };
  const { kind, groups, relu, weights } = layer;
  const reach = reachOf(weights, weights.length / output.channels);
  return { kind, from, input, output, window, groups, relu, reach };
}
