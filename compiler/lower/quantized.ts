import type { ElementwiseProgram } from "@/lib/common/elementwise";
import type { Graph } from "../graph/graph";
import { refuseModel } from "../graph/refuse";
import { chained, type IntegerGraph, type IntegerNode, type Link } from "../integer/integer-graph";
import { sizeOf } from "../integer/integer-maps";
import type { NetworkOutput } from "../model/dense-network";
import { rowView } from "../model/maps/layers";
import { productsOf } from "../model/maps/run-layers";
import { fittingRows } from "../passes/fitting-rows";
import { mapVectors } from "../passes/maps/vectors";
import {
  gridOfView,
  type InputQuantizer,
  inputBits,
  inputGrids,
  inputQuantizers,
  overOneGrid,
} from "../passes/quantized/input-grids";
import { bitsFor, type Grid, integerLayer } from "../passes/quantized/integer-layer";
import { denseOf, integerMaps } from "../passes/quantized/integer-maps";
import { lastLayer, quantizedLayers } from "../passes/quantized/quantized-layers";
import { quantizedMaps } from "../passes/quantized/quantized-maps";
import type { CalibrationRows } from "../passes/standardise";
import { verificationVectors } from "../passes/vectors";
import { readGraph } from "../reader";
import { requireScoresInOrder } from "../reader/map-model";
import type { ReadModel } from "../reader/read-model";
import type { Step } from "../reader/step";
import { ownGridInputs, rowNameOf, scoreOutput } from "./edges";
import type { Lowered } from "./lowered";

/** A quantised model as integers, with nothing chosen here: bits and scales are the model's. */
export interface LoweredQuantized extends Lowered {
  readonly outputs: readonly [NetworkOutput, ...NetworkOutput[]];
}

const own = "the model's own scales";
const ownCalibration = { rows: 0, source: own, synthetic: false, scaledBy: own } as const;

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
  if (calibration) fittingRows(calibration, model.inputSize);
  if (model.isPair) {
    throw refuseModel(
      "The quantised model answers a probability and its complement, which is not taken.",
    );
  }
  const { nodes, quantizers, grid, size, last } = steps ? rowNodes(steps) : mapNodes(model);
  const hosted = (each: NetworkOutput): NetworkOutput =>
    last.length > 0 ? { ...each, elementwise: last } : each;
  const [first, ...others] = model.outputs;
  const outputs: LoweredQuantized["outputs"] = [hosted(first), ...others.map(hosted)];
  const integerGraph: IntegerGraph = {
    schemaVersion: 2,
    input: {
      name: rowNameOf(model.inputs),
      size: model.inputSize,
      width: Math.max(...quantizers.map(inputBits)),
      fraction: Math.max(...inputGrids(quantizers).map(({ fraction }) => fraction)),
    },
    nodes,
    output: {
      name: first.spec.name,
      size,
      width: bitsFor(grid.min, grid.max, true) > 16 ? 32 : 16,
      fraction: grid.fraction,
    },
  };
  return {
    outputs,
    integerGraph,
    io: {
      inputs: ownGridInputs(model.inputs, quantizers),
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
  /** Of the values of a row: one for all, or one for each. */
  readonly quantizers: readonly InputQuantizer[];
  /** Of the scores. */
  readonly grid: Grid;
  readonly size: number;
  /** A function of each score, for the host. */
  readonly last: ElementwiseProgram;
}

/** Of dense layers in a row. */
function rowNodes(steps: readonly Step[]): Nodes {
  const network = quantizedLayers(steps);
  const quantizers = inputQuantizers(network.input);
  const inputs = inputGrids(quantizers);
  let grid = gridOfView(inputs, rowView(0, inputs.length));
  const nodes: Link[] = [];
  for (const [index, each] of network.layers.entries()) {
    const isLast = index === network.layers.length - 1;
    const own = grid ? { layer: each, grid } : overOneGrid(each, (_, at) => inputs[at]);
    const made = integerLayer(own.layer, own.grid, isLast);
    nodes.push(...made.nodes);
    grid = made.grid;
  }
  const size = network.layers.at(-1)?.dense.outputSize ?? 0;
  if (!grid) throw new RangeError("A quantised row has layers.");
  return { nodes: chained(nodes), quantizers, grid, size, last: network.last };
}

/** Of feature maps. */
function mapNodes(model: ReadModel): Nodes {
  requireScoresInOrder(model.scores);
  const { input, drafts } = quantizedMaps(model);
  const quantizers = inputQuantizers(input);
  const end = drafts.at(-1);
  if (end?.kind !== "sum") throw new RangeError("The scores are sums.");
  const { layer, last } = lastLayer({ dense: denseOf(end.layer), after: end.after });
  const { nodes, grid } = integerMaps(drafts, { inputs: inputGrids(quantizers), last: layer });
  return { nodes, quantizers, grid, size: sizeOf(end.layer.output), last };
}
