import type {
  DenseNode,
  Link,
  RequantizeNode,
  TableNode,
  Unplaced,
} from "../../integer/integer-graph";
import { exactFraction, isWhole } from "../../model/exact-fraction";
import { fractionOf, invalid, type Quantizer, quantizeBy } from "../../model/quantizer";
import { accumulatorWidth } from "../accumulator-width";
import { type QuantizedLayer, valueAfter } from "./quantized-layers";

/** Integers that stand for `(integer + offset) · 2^-fraction`, from `min` to `max`. */
export interface Grid {
  readonly fraction: number;
  readonly min: number;
  readonly max: number;
  readonly offset: number;
}

/** Widest weights and accumulators that are taken. */
const widest = { weight: 16, accumulator: 32, lookedUp: 10, scores: 32 } as const;
/** Bits below the accumulator's own grid that show whether a finer bias is left of half a step, on it, or right of it. */
const guardBits = 2;

/** A layer as nodes, and the grid of what comes out. @throws {AppError} `QUANTIZER_INVALID` */
export function integerLayer(
  layer: QuantizedLayer,
  input: Grid,
  isLast: boolean,
): { readonly nodes: readonly Link[]; readonly grid: Grid } {
  const { quantizer, after } = layer;
  const { name, outputSize } = layer.dense;
  const channels = channelsOf(layer, input);
  const scores = Math.max(...channels.map(({ fraction }) => fraction));
  const fraction = quantizer ? (fractionOf(quantizer.scales[0] ?? 1) ?? 0) : scores;
  // Sums that are coarser than what comes out are made finer first: a shift is never negative.
  const fine = channels.map((channel) => finer(channel, Math.max(0, fraction - channel.fraction)));
  const rounded = fine.map((channel) => roundedUp(channel, quantizer));
  const dense = denseNode(layer, rounded, input);
  const shift = rounded.map((channel) => channel.fraction - fraction);
  const bounds = boundsOf(layer, dense);
  const requantize: Unplaced<RequantizeNode> = {
    op: "requantize",
    name: `${name}/requantize`,
    size: outputSize,
    shift,
    ...formatOf(bounds, { isLast: isLast && after.length === 0, looked: after.length > 0 }),
    fraction,
    relu: false,
    ...(quantizer?.rounding === "half-even" && shift.some((each) => each > 0)
      ? { rounding: "half-even" as const }
      : quantizer && quantizer.rounding !== "half-even"
        ? { rounding: "floor" as const }
        : {}),
    bounds,
  };
  const grid = { fraction, ...bounds, offset: 0 };
  if (after.length === 0) return { nodes: [dense, withoutBounds(requantize)], grid };
  const looked = tableOf(layer, requantize, grid);
  return { nodes: [dense, withoutBounds(requantize), looked.table], grid: looked.grid };
}

/** One output's weights and bias as integers of one fraction. */
interface Channel {
  readonly weights: readonly number[];
  readonly bias: number;
  readonly fraction: number;
}

function channelsOf({ dense, quantizer }: QuantizedLayer, input: Grid): Channel[] {
  const { inputSize, outputSize, weights, bias } = dense;
  return Array.from({ length: outputSize }, (_, output) => {
    const own = weights.slice(output * inputSize, (output + 1) * inputSize);
    const steps = exactFraction(own);
    const integers = Array.from(own, (weight) => weight * 2 ** steps);
    if (!integers.every(isWhole(widest.weight))) {
      throw invalid(
        { operator: "MatMul", name: dense.name },
        `has weights at output ${output} that are no multiples of one power of two, within ${widest.weight} bits`,
      );
    }
    const fraction = steps + input.fraction;
    const shifted = integers.reduce((sum, weight) => sum + weight * input.offset, 0);
    const offset = shifted + (bias[output] ?? 0) * 2 ** fraction;
    return biased({ weights: integers, bias: offset, fraction }, quantizer !== null);
  });
}

/**
 * A bias that is finer than the sums: two more bits tell on which side of half a step the sum lies, which is all that
 * rounding asks. Scores that nobody rounds get as many bits as the bias has, as far as they fit.
 */
function biased(channel: Channel, isRounded: boolean): Channel {
  if (Number.isInteger(channel.bias)) return channel;
  if (isRounded) {
    const { bias, ...rest } = finer(channel, guardBits);
    const below = Math.floor(bias);
    return { ...rest, bias: below === bias ? bias : below - (Math.abs(below) % 2) + 1 };
  }
  const reach = channel.weights.reduce((sum, weight) => sum + Math.abs(weight) * 256, 0);
  const room = widest.scores - 3 - Math.ceil(Math.log2(reach + Math.abs(channel.bias) + 2));
  const extra = Math.min(Math.max(0, room), exactFraction([channel.bias]));
  const { bias, ...rest } = finer(channel, extra);
  return { ...rest, bias: Math.round(bias) };
}

const finer = ({ weights, bias, fraction }: Channel, bits: number): Channel => ({
  weights: weights.map((weight) => weight * 2 ** bits),
  bias: bias * 2 ** bits,
  fraction: fraction + bits,
});

/** Rounding up is rounding down of what is almost a step more. */
function roundedUp(channel: Channel, quantizer: Quantizer | null): Channel {
  if (quantizer?.rounding !== "ceil") return channel;
  const shift = channel.fraction - (fractionOf(quantizer.scales[0] ?? 1) ?? 0);
  return { ...channel, bias: channel.bias + 2 ** shift - 1 };
}

function denseNode(
  { dense }: QuantizedLayer,
  channels: readonly Channel[],
  input: Grid,
): Unplaced<DenseNode> {
  const { name, inputSize, outputSize } = dense;
  const weights = channels.flatMap((channel) => channel.weights);
  const bias = channels.map((channel) => channel.bias);
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const width = accumulatorWidth({
    inputSize,
    weights,
    bias,
    inputSigned: input.min < 0,
    inputWidth: bitsFor(input.min, input.max, input.min < 0),
  });
  if (width > widest.accumulator) {
    throw invalid({ operator: "MatMul", name }, `has sums of ${width} bits; 32 are taken`);
  }
  return {
    op: "dense",
    name,
    inputSize,
    outputSize,
    weightWidth: bitsFor(-largest, largest, true),
    weights,
    bias,
    accumulatorWidth: width,
  };
}

/** What values lie between: the grid's own bounds, not below 0 after ReLU; the sums' where they are the scores. */
function boundsOf({ quantizer, relu }: QuantizedLayer, { accumulatorWidth }: Unplaced<DenseNode>) {
  const half = 2 ** (accumulatorWidth - 1);
  const { min: [min = -half] = [], max: [max = half - 1] = [] } = quantizer ?? {};
  return { min: relu ? Math.max(0, min) : min, max: relu ? Math.max(0, max) : max };
}

/** Scores and what a table looks up are signed; everything else is, where it is below 0. */
function formatOf(
  { min, max }: { readonly min: number; readonly max: number },
  { isLast, looked }: { readonly isLast: boolean; readonly looked: boolean },
): { width: number; signed: boolean } {
  const signed = isLast || looked || min < 0;
  return { width: bitsFor(min, max, signed), signed };
}

/** Bounds that are those of the format need not be said. */
function withoutBounds({ bounds, ...node }: Unplaced<RequantizeNode>): Unplaced<RequantizeNode> {
  const min = node.signed ? -(2 ** (node.width - 1)) : 0;
  const max = 2 ** (node.width - (node.signed ? 1 : 0)) - 1;
  return !bounds || (bounds.min === min && bounds.max === max) ? node : { ...node, bounds };
}

function tableOf(
  { dense, after }: QuantizedLayer,
  requantize: Unplaced<RequantizeNode>,
  input: Grid,
) {
  const { width } = requantize;
  const last = after.at(-1);
  if (last?.kind !== "quantize") throw new RangeError("What is looked up ends on a grid.");
  if (width > widest.lookedUp) {
    throw invalid(
      last,
      `follows a function of ${width} bits; tables have up to ${widest.lookedUp}`,
    );
  }
  const scaleOf = (quantizer: Quantizer) => quantizer.scales[0] ?? 1;
  const ends = (value: number) => {
    const inside = Math.min(input.max, Math.max(input.min, value)) * 2 ** -input.fraction;
    const real = valueAfter(
      after,
      inside,
      (quantizer, x) => quantizeBy(quantizer, x) * scaleOf(quantizer),
    );
    return quantizeBy(last.quantizer, real);
  };
  const values = Array.from({ length: 2 ** width }, (_, pattern) =>
    ends(pattern < 2 ** (width - 1) ? pattern : pattern - 2 ** width),
  );
  if (values.some(Number.isNaN)) throw invalid(last, "quantises what is no number");
  const [min = 0] = last.quantizer.min;
  const [max = 0] = last.quantizer.max;
  const fraction = fractionOf(scaleOf(last.quantizer)) ?? 0;
  const signed = min < 0;
  const table: Unplaced<TableNode> = {
    op: "table",
    name: `${dense.name}/table`,
    size: dense.outputSize,
    inputWidth: width,
    inputSigned: true,
    values,
    width: bitsFor(min, max, signed),
    signed,
    fraction,
  };
  return { table, grid: { fraction, min, max, offset: 0 } };
}

/** Bits that hold every integer from `min` to `max`. */
export function bitsFor(min: number, max: number, signed: boolean): number {
  let width = 1;
  while (
    max > (signed ? 2 ** (width - 1) : 2 ** width) - 1 ||
    min < (signed ? -(2 ** (width - 1)) : 0)
  )
    width++;
  return width;
}
