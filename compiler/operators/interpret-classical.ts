import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";

/** `Scaler`: `(x − offset) · scale`, with one number for all columns or one for each. */
export function scaled({ attributes }: GraphNode, { shape, values }: RealTensor): RealTensor {
  const list = (name: string, otherwise: number): readonly number[] => {
    const value = attributes[name];
    return Array.isArray(value) && value.length > 0 ? (value as readonly number[]) : [otherwise];
  };
  const [offset, scale] = [list("offset", 0), list("scale", 1)];
  return {
    shape,
    values: Float64Array.from(
      values,
      (x, index) => (x - (offset[index % offset.length] ?? 0)) * (scale[index % scale.length] ?? 1),
    ),
  };
}

/** `ArrayFeatureExtractor`: columns of the first, chosen by the numbers in the second. */
export function picked({ shape, values }: RealTensor, chosen: RealTensor): RealTensor {
  const columns = shape.at(-1) ?? 1;
  const rows = Math.max(1, Math.round(values.length / columns));
  const count = chosen.values.length;
  return {
    shape: shape.length < 2 ? [1, count] : [...shape.slice(0, -1), count],
    values: Float64Array.from(
      { length: rows * count },
      (_, index) =>
        values[Math.floor(index / count) * columns + (chosen.values[index % count] ?? 0)] ??
        Number.NaN,
    ),
  };
}
