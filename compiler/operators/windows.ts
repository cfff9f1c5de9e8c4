import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { type Placed, windowOf } from "../graph/window-of";
import type { MapShape, MapView } from "../integer/integer-maps";
import { eachTap } from "../integer/window";
import type { Evaluation } from "./operator";

/** What each window of a tensor `[rows, channels, height, width]`, or without height, sees. */
export interface Windows {
  readonly rows: number;
  readonly view: MapView;
  readonly output: MapShape;
  /** Sizes of what comes out, without rows and channels. */
  readonly shape: readonly number[];
  /** For each window, places in a channel; −1 for what lies outside. */
  readonly places: readonly (readonly number[])[];
}

/** Slides the windows of a node over its first input. @throws {AppError} `OPERATOR_UNSUPPORTED` */
export function windowsOf({ node, input }: Evaluation, kernel: readonly number[]): Windows {
  const { rows, view } = mapsOf(input(0));
  const dimensions = input(0).shape.length - 2;
  const { window, height, width } = windowOf(node, view, kernel, dimensions);
  const output = { height, width, channels: view.channels };
  const places = Array.from({ length: height * width }, (_, pixel) => {
    const seen: number[] = [];
    eachTap({ input: view, output, window }, pixel, (place) => seen.push(place));
    return seen;
  });
  return { rows, view, output, shape: dimensions === 1 ? [width] : [height, width], places };
}

/** A tensor as maps whose channels come first. */
function mapsOf({ shape }: RealTensor): { readonly rows: number; readonly view: MapView } {
  const [rows = 1, channels = 1, ...sizes] = shape;
  const [height = 1, width = 1] = sizes.length === 1 ? [1, sizes[0]] : sizes;
  return { rows, view: { height, width, channels, strides: [width, 1, height * width] } };
}

/** The window's sizes as a node says them. @throws {AppError} `OPERATOR_UNSUPPORTED` */
export function kernelOf(node: GraphNode, input: MapView, dimensions: number): readonly number[] {
  if (node.operator.startsWith("Global")) {
    return dimensions === 1 ? [input.width] : [input.height, input.width];
  }
  const kernel = node.attributes["kernel_shape"];
  if (!Array.isArray(kernel) || kernel.length !== dimensions) {
    throw refuse(node, "has no window of the dimensions of its input");
  }
  return kernel.map(Number);
}

/** The shape of a map as the graph has it, without the batch. */
export const imageShape = (
  channels: number,
  { height, width }: Pick<Placed, "height" | "width">,
  dimensions: number,
): readonly number[] => (dimensions === 1 ? [channels, width] : [channels, height, width]);
