import type { IntegerGraph, TableNode } from "../../integer/integer-graph";
import { type Layer, layersOf } from "../../integer/layers";
import { accumulatorWidth } from "../../passes/accumulator-width";
import { widestSum } from "./estimator";
import type { LayerShape } from "./schedule";

/** How the values of a layer are written: the format in which the next layer reads them. */
export function writtenFormatOf({ requantize, table }: Layer): {
  readonly width: number;
  readonly signed: boolean;
} {
  return table ?? requantize;
}

/** Tables of a graph without repetitions, and for each layer which of them it has. */
export function tablesOf(stages: readonly Layer[]): {
  readonly images: readonly TableNode[];
  readonly imageOf: readonly (number | null)[];
} {
  const images: TableNode[] = [];
  const numbers = new Map<string, number>();
  const imageOf = stages.map(({ table }) => {
    if (!table) return null;
    const key = JSON.stringify([table.inputWidth, table.inputSigned, table.values]);
    const known = numbers.get(key) ?? images.length;
    if (known === images.length) images.push(table);
    numbers.set(key, known);
    return known;
  });
  return { images, imageOf };
}

/** What a schedule depends on, layer by layer. */
export function layerShapesOf(graph: IntegerGraph): LayerShape[] {
  const stages = layersOf(graph);
  const { imageOf } = tablesOf(stages);
  return stages.map(({ dense: { inputSize, outputSize }, table }, layer) => {
    const image = imageOf[layer] ?? null;
    return table && image !== null
      ? { inputSize, outputSize, table: { image, inputWidth: table.inputWidth } }
      : { inputSize, outputSize };
  });
}

/** Bits of hidden values that no table follows, the same in every layer of the array; 8 for a net without any. */
export function hiddenWidthOf(graph: IntegerGraph): number {
  const widths = new Set(
    layersOf(graph)
      .slice(0, -1)
      .filter(({ table }) => !table)
      .map(({ requantize }) => requantize.width),
  );
  if (widths.size > 1) throw new RangeError("The array has one width for all hidden values.");
  return [...widths][0] ?? 8;
}

/** Half a step of the grid that a shift leads to: added before it, it rounds. */
export const halfOf = (shift: number): number => (shift > 0 ? 2 ** (shift - 1) : 0);

/** Bits of the sums of each layer, its rounding constants added to its biases. */
export function sumWidthsOf(graph: IntegerGraph): number[] {
  const stages = layersOf(graph);
  return stages.map((stage, layer) => {
    const before = stages[layer - 1];
    const input = before ? writtenFormatOf(before) : { width: graph.input.width, signed: true };
    const { dense, requantize } = stage;
    const width = accumulatorWidth({
      ...dense,
      bias: dense.bias.map((bias, output) => bias + halfOf(requantize.shift[output] ?? 0)),
      inputSigned: input.signed,
      inputWidth: input.width,
    });
    return Math.max(width, dense.accumulatorWidth);
  });
}

/** Bits of the accumulators of all lanes: what the widest layer needs, and no less than a score with its sign. */
export const accumulatorWidthOf = (graph: IntegerGraph): number => widestSum(sumWidthsOf(graph));
