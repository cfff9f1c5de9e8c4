import { elementWriter } from "./element-text";
import type { Tensor } from "./tensor";

/**
 * Writes the body of a V1 answer: one prediction for each row, bare for a model of one output, an object of them for
 * several.
 */
export function writeV1Response(outputs: readonly Tensor[]): Uint8Array {
  const rows = Math.min(...outputs.map(({ shape }) => shape[0] ?? 1));
  const writers = outputs.map((tensor) => {
    const element = elementWriter(tensor);
    const width = rows === 0 ? 0 : tensor.data.length / (tensor.shape[0] ?? 1);
    return {
      key: JSON.stringify(tensor.name),
      row: (row: number) => nested(tensor.shape.slice(1), row * width, element),
    };
  });
  const predictions: string[] = [];
  for (let row = 0; row < rows; row++) {
    const [only] = writers;
    predictions.push(
      only && writers.length === 1
        ? only.row(row)
        : `{${writers.map(({ key, row: text }) => `${key}:${text(row)}`).join(",")}}`,
    );
  }
  return new TextEncoder().encode(`{"predictions":[${predictions.join(",")}]}`);
}

function nested(
  shape: readonly number[],
  from: number,
  element: (index: number) => string,
): string {
  const [length, ...inner] = shape;
  if (length === undefined) return element(from);
  const width = inner.reduce((product, size) => product * size, 1);
  const parts = Array.from({ length }, (_, index) => nested(inner, from + index * width, element));
  return `[${parts.join(",")}]`;
}
