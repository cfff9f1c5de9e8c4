import type { TensorSpec } from "./tensor";

type Shaped = Pick<TensorSpec, "shape">;

/** Elements of one row of a tensor: without the batch, free dimensions counted as 1. */
export const rowSize = ({ shape }: Shaped): number =>
  shape.slice(1).reduce((size, dimension) => size * (dimension < 0 ? 1 : dimension), 1);

/** Values that a row of all inputs has, one input behind the other. */
export const rowWidth = (inputs: readonly Shaped[]): number =>
  inputs.reduce((total, input) => total + rowSize(input), 0);
