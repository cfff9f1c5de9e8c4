import type { ElementwiseProgram } from "@/lib/common/elementwise";
import type { Graph } from "../graph/graph";
import { refuseModel } from "../graph/refuse";
import { chained, type IntegerGraph, type IntegerNode, type Link } from "../integer/integer-graph";
import { sizeOf } from "../integer/integer-maps";
import type { NetworkOutput } from "../model/dense-network";
import { productsOf } from "../model/maps/run-layers";
import { fractionOf, invalid, type Quantizer } from "../model/quantizer";
import { fittingRows } from "../passes/fitting-rows";
import { mapVectors } from "../passes/maps/vectors";
import { bitsFor, type Grid, integerLayer } from "../passes/quantized/integer-layer";
import { denseOf, inputGrid, integerMaps } from "../passes/quantized/integer-maps";
import { lastLayer, quantizedLayers } from "../passes/quantized/quantized-layers";
import { quantizedMaps } from "../passes/quantized/quantized-maps";
import type { CalibrationRows } from "../passes/standardise";
import { verificationVectors } from "../passes/vectors";
import { readGraph } from "../reader";
import { requireScoresInOrder } from "../reader/map-model";
import type { ReadModel } from "../reader/read-model";
import type { Step } from "../reader/step";
import { gridInputs, scoreOutput } from "./edges";
import type { Lowered } from "./lowered";

/** How the host puts inputs onto the model's own grid: `clamp(round(x / scale), min, max) − offset`. */
export interface InputQuantizer {
  readonly scale: number;
  readonly min: number;
  readonly max: number;
  /** Taken off, so that values fit a signed byte. */
  readonly offset: number;
}

/** A quantised model as integers, with nothing chosen here: bits and scales are the model's. */
export interface LoweredQuantized extends Lowered {
  readonly outputs: readonly [NetworkOutput, ...NetworkOutput[]];
  readonly input: InputQuantizer;
}

const own = "the model's own scales";
const ownCalibration = { rows: 0, source: own, synthetic: false, scaledBy: own } as const;
/** Inputs pass the core's port as bytes. */
const mostInputBits = 8;

/**
 * Brings a quantised graph down to the integer graph, bit for bit.
 *
 * @throws {AppError} `QUANTIZER_INVALID` naming node and fault, `OPERATOR_UNSUPPORTED` and the reasons of `readModel`.
 */
export function lowerQuantized(
  graph: Graph,
  calibration: CalibrationRows | null = null,
): LoweredQuantized {
  const { model, steps } = readGraph(graph);
  const [input] = model.inputs;
  if (calibration) fittingRows(calibration, model.inputSize);
  if (model.isPair) {
    throw refuseModel(
      "The quantised model answers a probability and its complement, which is not taken.",
    );
  }
  const { nodes, quantizer, grid, size, last } = steps ? rowNodes(steps) : mapNodes(model);
  const width = bitsFor(quantizer.min - quantizer.offset, quantizer.max - quantizer.offset, true);
  const hosted = (each: NetworkOutput): NetworkOutput =>
    last.length > 0 ? { ...each, elementwise: last } : each;
  const [first, ...others] = model.outputs;
  const outputs: LoweredQuantized["outputs"] = [hosted(first), ...others.map(hosted)];
  const integerGraph: IntegerGraph = {
    schemaVersion: 2,
    input: {
      name: input.name,
      size: model.inputSize,
      width,
      fraction: fractionOf(quantizer.scale) ?? 0,
    },
    nodes,
    output: {
      name: first.spec.name,
      size,
      width: bitsFor(grid.min, grid.max, true) > 16 ? 32 : 16,
      fraction: grid.fraction,
    },
  };
  const offset = quantizer.offset * quantizer.scale;
  const unscaled = {
    mean: Array<number>(integerGraph.input.size).fill(offset),
    deviation: Array<number>(integerGraph.input.size).fill(1),
  };
  return {
    outputs,
    input: quantizer,
    integerGraph,
    io: {
      inputs: gridInputs(model.inputs, integerGraph, unscaled).map((each) => ({
        ...each,
        quantise: quantizer,
      })),
      outputs: outputs.map((each) => scoreOutput(each, integerGraph)),
    },
    vectors: () =>
      steps
        ? verificationVectors(integerGraph)
        : mapVectors(integerGraph, Math.max(1, productsOf(model.layers)), []),
    calibration: ownCalibration,
    notes: ["Bits and scales are the model's own: the design answers it bit for bit."],
  };
}

/** The integer graph's nodes, and what is known of both of its ends. */
interface Nodes {
  readonly nodes: readonly IntegerNode[];
  readonly quantizer: InputQuantizer;
  /** Of the scores. */
  readonly grid: Grid;
  readonly size: number;
  /** A function of each score, for the host. */
  readonly last: ElementwiseProgram;
}

/** Of dense layers in a row. */
function rowNodes(steps: readonly Step[]): Nodes {
  const network = quantizedLayers(steps);
  const quantizer = inputQuantizerOf(network.input);
  let grid = inputGrid(quantizer);
  const nodes: Link[] = [];
  for (const [index, layer] of network.layers.entries()) {
    const made = integerLayer(layer, grid, index === network.layers.length - 1);
    nodes.push(...made.nodes);
    grid = made.grid;
  }
  const size = network.layers.at(-1)?.dense.outputSize ?? 0;
  return { nodes: chained(nodes), quantizer, grid, size, last: network.last };
}

/** Of feature maps. */
function mapNodes(model: ReadModel): Nodes {
  requireScoresInOrder(model.scores);
  const { input, drafts } = quantizedMaps(model);
  const quantizer = inputQuantizerOf(input);
  const end = drafts.at(-1);
  if (end?.kind !== "sum") throw new RangeError("The scores are sums.");
  const { layer, last } = lastLayer({ dense: denseOf(end.layer), after: end.after });
  const { nodes, grid } = integerMaps(drafts, { input: inputGrid(quantizer), last: layer });
  return { nodes, quantizer, grid, size: sizeOf(end.layer.output), last };
}

function inputQuantizerOf(quantizer: Quantizer): InputQuantizer {
  const [scale = 1] = quantizer.scales;
  const [min = 0] = quantizer.min;
  const [max = 0] = quantizer.max;
  if (max - min >= 2 ** mostInputBits) {
    throw invalid(quantizer, `gives inputs ${max - min + 1} values; at most 256 are taken`);
  }
  if (quantizer.rounding !== "half-even") {
    throw invalid(quantizer, `rounds inputs by ${quantizer.rounding}; to the nearest is taken`);
  }
  return { scale, min, max, offset: min >= -128 && max <= 127 ? 0 : min + 128 };
}
