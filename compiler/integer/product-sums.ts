import type { MapView } from "./integer-maps";

/**
 * `sum[y · matrices + x, o] = bias[o] + Σ_c left[y, x, c] · right[x, c, o]`, exact for integers.
 *
 * @param input How the left is seen: rows, matrices, and what is summed over.
 * @param bias One for each column of the matrices on the right, whose values lie row by row, matrix after matrix.
 */
export function productSums(
  input: MapView,
  bias: ArrayLike<number>,
  left: ArrayLike<number>,
  right: ArrayLike<number>,
): Float64Array {
  const { height: rows, width: matrices, channels: inner, first = 0, strides } = input;
  const columns = bias.length;
  const sums = Float64Array.from(
    { length: rows * matrices * columns },
    (_, at) => bias[at % columns] ?? 0,
  );
  for (let pixel = 0; pixel < rows * matrices; pixel++) {
    const x = pixel % matrices;
    const from = first + Math.floor(pixel / matrices) * strides[0] + x * strides[1];
    for (let c = 0; c < inner; c++) {
      const factor = left[from + c * strides[2]] ?? 0;
      const row = (x * inner + c) * columns;
      for (let column = 0; column < columns; column++) {
        const at = pixel * columns + column;
        sums[at] = (sums[at] ?? 0) + factor * (right[row + column] ?? 0);
      }
    }
  }
  return sums;
}
