import { dequantize, type FixedPoint, quantize } from "@/lib/common/fixed-point";
import { requireFiniteRanges } from "../graph/require-numbers";
import {
  chained,
  type DenseNode,
  type IntegerGraph,
  type Link,
  type RequantizeNode,
  type Unplaced,
} from "../integer/integer-graph";
import { type DenseLayer, runDenseNetwork } from "../model/dense-network";
import { accumulatorWidth } from "./accumulator-width";
import { calibrate } from "./calibrate";
import { clipWhereItHelps } from "./clip-where-it-helps";
import { inputFormatOf, type Precision, weightBitsOf } from "./precision";
import { clippedFraction, fractionFor, plainFraction, quantizeWeights } from "./quantize-weights";
import { type Looked, tableInput, tableNode } from "./tables";

/** Widest accumulator the hardware has. */
const maxAccumulatorWidth = 32;
/** Largest shift of the hardware; sums that are finer than 15 bits below the result add width and nothing else. */
const maxShift = 15;
/** Rows that decide whether clipping helps; more change the answer rarely and cost time. */
const trialRows = 64;

export interface QuantizeRequest {
  /** Layers over standardised inputs. */
  readonly layers: readonly DenseLayer[];
  /** Standardised rows to calibrate with. */
  readonly rows: readonly Float64Array[];
  /** Whether the rows are made up. */
  readonly synthetic: boolean;
  readonly inputName: string;
  readonly outputName: string;
  readonly precision: Precision;
}

/** Turns float layers into the integer graph: narrow inputs, weights and hidden values, 16-bit scores. */
export function quantizeNetwork({
  layers,
  rows,
  synthetic,
  inputName,
  outputName,
  precision,
}: QuantizeRequest): IntegerGraph {
  const inputFormat = inputFormatOf(precision);
  const quantizedRows = rows.map((row) => quantizeRow(row, inputFormat));
  const gridRows = quantizedRows.map((row) =>
    Float64Array.from(row, (value) => dequantize(value, inputFormat)),
  );
  const ranges = calibrate(layers, gridRows, { synthetic });
  requireFiniteRanges(layers, ranges);
  const tables = layers.map((layer, index) =>
    lookedUp(layer, ranges[index] ?? 0, precision.activationBits),
  );
  const build = (clipped: readonly boolean[]) =>
    integerGraph({ layers, ranges, tables, clipped, inputName, outputName, precision });

  return clipWhereItHelps(
    layers.map(() => true),
    build,
    {
      rows: quantizedRows.slice(0, trialRows),
      scores: gridRows
        .slice(0, trialRows)
        .map((row) => runDenseNetwork(layers, row).at(-1) ?? new Float64Array()),
    },
  );
}

/** A standardised row on the input grid. */
export function quantizeRow(row: ArrayLike<number>, inputFormat: FixedPoint): Int8Array {
  return Int8Array.from(row, (value) => quantize(value, inputFormat));
}

interface GraphRequest {
  readonly layers: readonly DenseLayer[];
  readonly ranges: readonly number[];
  readonly tables: readonly (Table | null)[];
  readonly clipped: readonly boolean[];
  readonly inputName: string;
  readonly outputName: string;
  readonly precision: Precision;
}

function integerGraph(request: GraphRequest): IntegerGraph {
  const { layers, ranges, tables, clipped, inputName, outputName, precision } = request;
  const inputFormat = inputFormatOf(precision);
  const nodes: Link[] = [];
  let input: FixedPoint = inputFormat;
  for (const [index, layer] of layers.entries()) {
    const last = index === layers.length - 1;
    const range = ranges[index] ?? 0;
    const table = tables[index];
    const width = last ? null : precision.activationBits;
    const wanted = table ? table.input : valueFormat({ relu: layer.relu, width, range });
    const { dense, requantize } = quantizeLayer(layer, input, wanted, {
      clipped: clipped[index] === true,
      weightBits: weightBitsOf(precision, index),
    });
    const node = table ? tableNode(table, requantize, layer.outputSize) : null;
    nodes.push(dense, requantize, ...(node ? [node] : []));
    input = node ?? requantize;
  }
  return {
    schemaVersion: 2,
    input: {
      name: inputName,
      size: layers[0]?.inputSize ?? 0,
      width: inputFormat.width,
      fraction: inputFormat.fraction,
    },
    nodes: chained(nodes),
    output: {
      name: outputName,
      size: layers.at(-1)?.outputSize ?? 0,
      width: 16,
      fraction: input.fraction,
    },
  };
}

/** A layer's function with the grid of its arguments, as far as the layer's sums can be as fine. */
interface Table extends Looked {
  readonly input: FixedPoint;
}

function lookedUp({ name, elementwise }: DenseLayer, range: number, width: number): Table | null {
  if (!elementwise) return null;
  const looked = { name, program: elementwise, range, width };
  return { ...looked, input: tableInput(looked) };
}

/** Format of the values behind a layer. Hidden values are unsigned after ReLU; scores (no width given) are signed 16, of which ReLU leaves the non-negative 15. */
export function valueFormat(value: {
  readonly relu: boolean;
  readonly width: number | null;
  readonly range: number;
}): FixedPoint {
  const { relu, range } = value;
  const width = value.width ?? (relu ? 15 : 16);
  const limit = relu ? 2 ** width - 1 : 2 ** (width - 1) - 1;
  return { width, signed: !relu, fraction: fractionFor(range, limit) };
}

/**
 * One layer as integers: the finest grids of weights and results that shifts and accumulators of the hardware allow.
 *
 * @param wanted The result's format; its fraction is an upper bound.
 */
export function quantizeLayer(
  layer: DenseLayer,
  input: FixedPoint,
  wanted: FixedPoint,
  { clipped, weightBits }: { readonly clipped: boolean; readonly weightBits: number },
): { dense: Unplaced<DenseNode>; requantize: Unplaced<RequantizeNode> } {
  const { inputSize, outputSize } = layer;
  const channels = Array.from({ length: outputSize }, (_, output) =>
    layer.weights.slice(output * inputSize, (output + 1) * inputSize),
  );
  const widest = channels.map((weights, output) => {
    const best = (clipped ? clippedFraction : plainFraction)(weights, weightBits);
    const most = Math.min(best, wanted.fraction + maxShift - input.fraction);
    return fittingFraction({
      weights,
      weightBits,
      bias: layer.bias[output] ?? 0,
      input,
      most,
    });
  });
  // A shift is never negative: values cannot be finer than the sums they come from.
  const fraction = Math.min(wanted.fraction, ...widest.map((value) => value + input.fraction));
  const fractions = widest.map((value) => Math.min(value, fraction + maxShift - input.fraction));

  const weights = channels.flatMap((channel, output) =>
    quantizeWeights(channel, fractions[output] ?? 0, weightBits),
  );
  const bias = Array.from(layer.bias, (value, output) =>
    quantizeBias(value, (fractions[output] ?? 0) + input.fraction),
  );
  return {
    dense: {
      op: "dense",
      name: layer.name,
      inputSize,
      outputSize,
      weightWidth: weightBits,
      weights,
      bias,
      accumulatorWidth: accumulatorWidth({
        inputSize,
        weights,
        bias,
        inputSigned: input.signed,
        inputWidth: input.width,
      }),
    },
    requantize: {
      op: "requantize",
      name: `${layer.name}/requantize`,
      size: outputSize,
      shift: fractions.map((value) => value + input.fraction - fraction),
      width: wanted.width,
      signed: wanted.signed,
      fraction,
      relu: layer.relu,
    },
  };
}

/** Coarsens a channel until its sums fit the hardware's accumulator. */
function fittingFraction(channel: {
  readonly weights: Float64Array;
  readonly weightBits: number;
  readonly bias: number;
  readonly input: FixedPoint;
  readonly most: number;
}): number {
  const { weights, weightBits, bias, input, most } = channel;
  for (let fraction = most; ; fraction--) {
    const scaledBias = bias * 2 ** (fraction + input.fraction);
    if (Math.abs(scaledBias) >= 2 ** (maxAccumulatorWidth - 2)) continue;
    const width = accumulatorWidth({
      inputSize: weights.length,
      weights: quantizeWeights(weights, fraction, weightBits),
      bias: [Math.round(scaledBias)],
      inputSigned: input.signed,
      inputWidth: input.width,
    });
    if (width <= maxAccumulatorWidth) return fraction;
  }
}

function quantizeBias(value: number, fraction: number): number {
  return quantize(value, { width: maxAccumulatorWidth, fraction, signed: true });
}
