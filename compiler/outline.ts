import type { MapOutline, Outline } from "@/lib/common/contract";
import { arrayRefusal } from "./array-refusal";
import { hasMaps, readMapModel } from "./convolution";
import type { Layer as MapLayer } from "./convolution/layers";
import { type AdderCount, countAdders } from "./count-adders";
import type { DenseNetwork } from "./dense-network";
import type { Graph } from "./graph";
import type { IntegerGraph } from "./integer-graph";
import { layersOf } from "./layers";
import { standardiseNetwork } from "./lower";
import { legalise } from "./passes/legalise";
import type { InputRange } from "./passes/standardise";
import { reachOf } from "./passes/sum-width";
import { lowerQuantized } from "./quantized/lower-quantized";
import { hasQuantizers } from "./quantized/quantizer";
import { weightRounding } from "./rounded-weights";
import { hasTrees, lowerTrees, outlineOfTrees } from "./trees";

/**
 * As much of a model as forecasts need: sizes and shapes, and how many digits its weights have.
 *
 * @param inputRange What is known of the inputs, which scales the first layer's weights. One that is not of this model's
 *   inputs, which a build refuses, counts for nothing.
 * @throws {AppError} what the compiler refuses of any model, before a board is chosen.
 */
export function outlineOf(graph: Graph, inputRange: InputRange | null = null): Outline {
  if (hasTrees(graph)) {
    return { kind: "trees", ...outlineOfTrees(lowerTrees(graph).integerGraph) };
  }
  if (hasMaps(graph)) {
    const { inputSize, layers } = readMapModel(graph);
    return { kind: "maps", inputs: inputSize, layers: layers.map(mapOutline) };
  }
  if (hasQuantizers(graph)) return quantizedOutline(lowerQuantized(graph).integerGraph);
  return floatOutline(legalise(graph), inputRange);
}

function floatOutline(network: DenseNetwork, inputRange: InputRange | null): Outline {
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

function quantizedOutline(graph: IntegerGraph): Outline {
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
