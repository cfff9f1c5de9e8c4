import type { GraphConstant, GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import type { Head, HeadView } from "../model/head";
import type { NodeView } from "../model/maps/chain";
import type { Value } from "../model/maps/value";

/** Dimensions, −1 where free; undefined where they are not known. */
export type Shape = readonly number[] | undefined;

/** What is known of a node's operands before anything runs. */
export interface ShapeView {
  readonly node: GraphNode;
  readonly shapes: readonly Shape[];
  readonly constant: (index: number) => GraphConstant | undefined;
}

/** A node with its operands, as the float interpreter runs it. */
export interface Evaluation {
  readonly node: GraphNode;
  readonly opset: number;
  readonly input: (index: number) => RealTensor;
  readonly optional: (index: number) => RealTensor | undefined;
}

/** A node that computes the integers of which shapes are made. */
export interface ListView {
  readonly node: GraphNode;
  /** The integers at an input; null where there are none. */
  readonly list: (index: number) => readonly number[] | null;
  /** The full shape of the tensor at an input; null where it is none of the layers'. */
  readonly shapeOf: (index: number) => readonly number[] | null;
}

/** All that Boardwalk knows of an operator. What is left out, it does not know or the operator does not do. */
export interface Operator {
  /** Shape of the first output, from those of the inputs. @throws {AppError} `MODEL_SHAPE_INVALID` */
  readonly shape?: (view: ShapeView) => Shape;
  /** What it computes, in floats. @throws {AppError} `MODEL_SHAPE_INVALID` */
  readonly evaluate?: (evaluation: Evaluation) => RealTensor | readonly RealTensor[];
  /** Worked out before anything is read, where all operands are constants. */
  readonly folds?: true;
  /** The integers of a shape, where it is made of such integers; null where it cannot be. */
  readonly list?: (view: ListView) => readonly number[] | null;
  /** Takes it to FPGA: appends layers and gives the value that comes out. @throws {AppError} `OPERATOR_UNSUPPORTED` */
  readonly read?: (view: NodeView) => Value;
  /** Whether it also works on values whose first dimension is one with the batch, as front ends make of `[batch, rows, …]`. */
  readonly takesJoinedRows?: true;
  /** Sums or windows of its own: what comes before it is no end of the model. */
  readonly isLayer?: true;
  /** What the host makes of the last scores with it. @throws {AppError} `OPERATOR_UNSUPPORTED` */
  readonly head?: (view: HeadView) => Head;
  /** Whether it may be the first thing that happens to the scores. */
  readonly beginsHead?: true;
}

/** A number among a node's attributes. */
export function numberOf(node: GraphNode, attribute: string, otherwise: number): number {
  const value = node.attributes[attribute];
  return typeof value === "number" ? value : otherwise;
}

export const sizeOf = (shape: readonly number[]): number =>
  shape.reduce((size, dimension) => size * dimension, 1);

/** An axis as a count from the front. */
export function axisOf(node: GraphNode, rank: number, otherwise: number): number {
  const axis = numberOf(node, "axis", otherwise);
  return axis < 0 ? axis + rank : axis;
}

/** Axes of an input, or of an attribute up to operator set 12; null where none are said. */
export function axesOf(
  node: GraphNode,
  list: ArrayLike<number> | null | undefined,
): readonly number[] | null {
  const attribute = node.attributes["axes"];
  if (list) return Array.from(list);
  return Array.isArray(attribute) ? attribute.map(Number) : null;
}

/** The shape of a function of single values. */
export const sameShape = ({ shapes }: ShapeView): Shape => shapes[0];
/** Passes a tensor on. */
export const sameTensor = ({ input }: Evaluation): RealTensor => input(0);

/** Element types of ONNX that hold a float: 1 float, 10 float16, 11 double, 16 bfloat16. */
export const isFloatType = (type: number): boolean =>
  type === 1 || type === 10 || type === 11 || type === 16;
