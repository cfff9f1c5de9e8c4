import { fail } from "@/lib/common/errors";
import type { Graph, GraphConstant, GraphNode } from "../graph/graph";

/** A uniform grid with an end on both sides: `clamp(round(x / scale), min, max) · scale`. */
export interface Quantizer {
  /** Node that says so, for messages. */
  readonly name: string;
  readonly operator: string;
  /** Positive; one for all elements, or one for each channel. */
  readonly scales: readonly number[];
  /** Bounds in steps from zero, one for all elements or one for each channel: the zero point is taken off. */
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly rounding: "half-even" | "floor" | "ceil";
  /** The dimension that channels are counted along. */
  readonly axis: number;
}

/** Domain of QONNX's operators. @see https://github.com/fastmachinelearning/qonnx */
export const qonnxDomain = "qonnx.custom_op.general";

/** Integer types that ONNX quantises to, with their bounds. */
const integerTypes: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  UINT8: { min: 0, max: 255 },
  INT8: { min: -128, max: 127 },
  UINT16: { min: 0, max: 65_535 },
  INT16: { min: -32_768, max: 32_767 },
  INT32: { min: -(2 ** 31), max: 2 ** 31 - 1 },
};

/** Whether an operator puts values onto a grid or takes them off it. */
export const isQuantizer = ({
  domain,
  operator,
}: Pick<GraphNode, "domain" | "operator">): boolean =>
  (domain === "" && (operator === "QuantizeLinear" || operator === "DequantizeLinear")) ||
  isQonnxQuant({ domain, operator });

/** Whether an operator is QONNX's `Quant`, which does both. */
export const isQonnxQuant = ({ domain, operator }: Pick<GraphNode, "domain" | "operator">) =>
  domain === qonnxDomain && operator === "Quant";

/** Whether a model brings its own grids, which are then taken at their word. */
export const hasQuantizers = ({ nodes }: Graph): boolean => nodes.some(isQuantizer);

/**
 * Reads the grid of a quantising node.
 *
 * @throws {AppError} `QUANTIZER_INVALID` naming node and fault.
 */
export function quantizerOf(
  node: GraphNode,
  constant: (index: number) => GraphConstant | null,
): Quantizer {
  const scale = constant(1);
  if (!scale || scale.values.length === 0) throw invalid(node, "has no constant scale");
  const bad = scale.values.find((value) => !(value > 0) || !Number.isFinite(value));
  if (bad !== undefined) throw invalid(node, `has a scale of ${bad}; scales are positive`);
  if (node.attributes["block_size"]) throw invalid(node, "has a scale for each block of elements");
  const zero = node.inputs[2] ? constant(2) : null;
  if (node.inputs[2] && !zero) throw invalid(node, "has no constant zero point");
  const zeros = zero?.values ?? Float64Array.of(0);
  const scales = scale.values;
  if (zeros.length !== 1 && zeros.length !== scales.length && scales.length !== 1) {
    throw invalid(node, `has ${scales.length} scales and ${zeros.length} zero points`);
  }
  const { min, max, rounding } = isQonnxQuant(node)
    ? qonnxFormat(node, constant(3))
    : linearFormat(node, zero);
  const outside = zeros.find((value) => !Number.isInteger(value) || value < min || value > max);
  if (outside !== undefined) {
    throw invalid(node, `has a zero point of ${outside}, which is none of ${min} to ${max}`);
  }
  return {
    name: node.name,
    operator: node.operator,
    scales: Array.from(scales),
    min: Array.from(zeros, (value) => min - value),
    max: Array.from(zeros, (value) => max - value),
    rounding,
    axis: channelAxis(node, scale),
  };
}

/** QONNX spreads its scales like any operand: the one dimension that is not 1 is that of the channels. */
function channelAxis(node: GraphNode, { shape }: GraphConstant): number {
  const axis = node.attributes["axis"];
  if (!isQonnxQuant(node)) return typeof axis === "number" ? axis : 1;
  const wide = shape.flatMap((size, place) => (size > 1 ? [place - shape.length] : []));
  if (wide.length > 1) throw invalid(node, `has scales of shape [${shape.join(", ")}]`);
  return wide[0] ?? 0;
}

function linearFormat(node: GraphNode, zero: GraphConstant | null) {
  const type = zero?.datatype ?? outputTypeOf(node);
  const bounds = integerTypes[type];
  if (!bounds) throw invalid(node, `quantises to ${type}; 8 and 16 bits are taken`);
  return { ...bounds, rounding: "half-even" as const };
}

/** Element type of a quantised value without zero point, by its number in ONNX. */
function outputTypeOf({ attributes }: GraphNode): string {
  const types: Readonly<Record<number, string>> = {
    2: "UINT8",
    3: "INT8",
    4: "UINT16",
    5: "INT16",
  };
  const type = attributes["output_dtype"];
  if (typeof type !== "number" || type === 0) return "UINT8";
  return types[type] ?? `element type ${type}`;
}

const roundings: Readonly<Record<string, Quantizer["rounding"]>> = {
  ROUND: "half-even",
  HALF_EVEN: "half-even",
  FLOOR: "floor",
  CEIL: "ceil",
};

function qonnxFormat(node: GraphNode, width: GraphConstant | null) {
  const [bits, ...more] = width?.values ?? [];
  if (bits === undefined || more.length > 0 || !Number.isInteger(bits) || bits < 1 || bits > 32) {
    throw invalid(node, `has a bit width of ${bits}; one whole number from 1 to 32 is taken`);
  }
  const { signed = 1, narrow = 0, rounding_mode = "ROUND" } = node.attributes;
  const rounding = roundings[String(rounding_mode).toUpperCase()];
  if (!rounding) {
    throw invalid(
      node,
      `rounds by "${rounding_mode}"; ${Object.keys(roundings).join(", ")} are taken`,
    );
  }
  const less = narrow === 0 ? 0 : 1;
  if (signed === 0) return { min: 0, max: 2 ** bits - 1 - less, rounding };
  if (bits === 1) throw invalid(node, "has one bit and a sign, which leaves no values");
  return { min: -(2 ** (bits - 1)) + less, max: 2 ** (bits - 1) - 1, rounding };
}

/** The error for a quantising node that cannot be taken at its word. */
export function invalid(node: Pick<GraphNode, "operator" | "name">, why: string) {
  return fail("QUANTIZER_INVALID", `${node.operator} (node "${node.name}") ${why}.`, {
    hint: "Quantise the model again, with scales that are powers of two and whole zero points, or use a CPU board.",
    details: { operator: node.operator, node: node.name },
  });
}

/** Whether two quantisers leave the same numbers, their channels left out. */
export const sameGrid = (a: Quantizer, b: Quantizer): boolean =>
  a.scales[0] === b.scales[0] && a.min[0] === b.min[0] && a.max[0] === b.max[0];

/** The grid of some channels, if they have one. */
export function oneGridOf(quantizer: Quantizer, channels: ArrayLike<number>): Quantizer | null {
  const { scales, min, max } = quantizer;
  if (scales.length === 1) return quantizer;
  const [first = 0] = Array.from(channels);
  const pick = (list: readonly number[]) => [list[first] ?? 0];
  const one = { ...quantizer, scales: pick(scales), min: pick(min), max: pick(max) };
  const isSame = (channel: number) =>
    scales[channel] === one.scales[0] && min[channel] === one.min[0] && max[channel] === one.max[0];
  return Array.from(channels).every(isSame) ? one : null;
}

/** One real number on the grid of its channel, in steps from zero. */
export function quantizeBy(quantizer: Quantizer, value: number, channel = 0): number {
  const pick = (list: readonly number[]): number => list[channel % list.length] ?? 0;
  const scaled = value / pick(quantizer.scales);
  const rounded = rounders[quantizer.rounding](scaled);
  return Math.min(pick(quantizer.max), Math.max(pick(quantizer.min), rounded)) || 0;
}

const rounders: Readonly<Record<Quantizer["rounding"], (value: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  "half-even": (value) => {
    const floor = Math.floor(value);
    const above = value - floor;
    return above > 0.5 || (above === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
  },
};

/** `e` of a scale `2^-e`; null for scales that are no power of two. */
export function fractionOf(scale: number): number | null {
  const fraction = -Math.round(Math.log2(scale));
  return 2 ** -fraction === scale ? fraction : null;
}
