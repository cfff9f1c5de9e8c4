import { sizeOf } from "./operator";

/** Splits a tensor along an axis: `outer` blocks of `length` steps, each `inner` elements apart. */
export function along(shape: readonly number[], axis: number) {
  const length = shape[axis] ?? 1;
  return { outer: sizeOf(shape.slice(0, axis)), length, inner: sizeOf(shape.slice(axis + 1)) };
}
