import { randomFrom } from "@/compiler/random";
import { denseOnnx } from "@/tests/support/onnx";

/** A model that nobody built before, and what it answers to one row. */
export interface StormModel {
  readonly bytes: Uint8Array;
  readonly row: readonly number[];
  readonly answer: readonly number[];
}

/** Two values in, two out; each number of a storm has weights of its own, so that an answer tells whose it is. */
export function modelOf(seed: number, n: number): StormModel {
  const random = randomFrom(seed * 100_003 + n);
  const weights = Array.from({ length: 4 }, () => Math.fround(random.uniform() * 2 - 1));
  const row = [0.75, -0.5];
  const answer = [0, 1].map((column) =>
    row.reduce((sum, value, i) => sum + value * (weights[2 * i + column] ?? 0), 0),
  );
  return { bytes: denseOnnx([2, 2], (i) => weights[i] ?? 0), row, answer };
}
