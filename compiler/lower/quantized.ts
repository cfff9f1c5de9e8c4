import type { Graph } from "../graph/graph";
import { refuseModel } from "../graph/refuse";
import { chained, type IntegerGraph, type Link } from "../integer/integer-graph";
import type { NetworkOutput } from "../model/dense-network";
import { fractionOf, invalid, type Quantizer } from "../model/quantizer";
import { fittingRows } from "../passes/fitting-rows";
import { bitsFor, type Grid, integerLayer } from "../passes/quantized/integer-layer";
import { quantizedLayers } from "../passes/quantized/quantized-layers";
import type { CalibrationRows } from "../passes/standardise";
import { verificationVectors } from "../passes/vectors";
import { readGraph } from "../reader";
import { gridInput, scoreOutput } from "./edges";
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
  const { input } = model;
  if (calibration) fittingRows(calibration, input.shape);
  if (!steps) throw refuseModel("Quantised models on FPGA boards are dense layers in a row.");
  if (model.isPair) {
    throw refuseModel(
      "The quantised model answers a probability and its complement, which is not taken.",
    );
  }
  const network = quantizedLayers(steps);
  const quantizer = inputQuantizerOf(network.input);
  const width = bitsFor(quantizer.min - quantizer.offset, quantizer.max - quantizer.offset, true);
  let grid: Grid = {
    fraction: fractionOf(quantizer.scale) ?? 0,
    min: quantizer.min - quantizer.offset,
    max: quantizer.max - quantizer.offset,
    offset: quantizer.offset,
  };
  const nodes: Link[] = [];
  for (const [index, layer] of network.layers.entries()) {
    const made = integerLayer(layer, grid, index === network.layers.length - 1);
    nodes.push(...made.nodes);
    grid = made.grid;
  }
  const size = network.layers.at(-1)?.dense.outputSize ?? 0;
  const hosted = (each: NetworkOutput): NetworkOutput =>
    network.last.length > 0 ? { ...each, elementwise: network.last } : each;
  const [first, ...others] = model.outputs;
  const outputs: LoweredQuantized["outputs"] = [hosted(first), ...others.map(hosted)];
  const integerGraph: IntegerGraph = {
    schemaVersion: 2,
    input: {
      name: input.name,
      size: network.layers[0]?.dense.inputSize ?? 0,
      width,
      fraction: fractionOf(quantizer.scale) ?? 0,
    },
    nodes: chained(nodes),
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
      inputs: [{ ...gridInput(input, integerGraph, unscaled), quantise: quantizer }],
      outputs: outputs.map((each) => scoreOutput(each, integerGraph)),
    },
    vectors: () => verificationVectors(integerGraph),
    calibration: ownCalibration,
    notes: ["Bits and scales are the model's own: the design answers it bit for bit."],
  };
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
