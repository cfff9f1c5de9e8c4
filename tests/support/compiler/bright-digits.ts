import { exportOnnx, type Graph, runGraph } from "@/compiler";
import { loadSample } from "./samples";

/** The sample `digits-mlp` for pixels of 0 to 16 in place of 0 to 1, and nothing that says so. */
export function brightDigits(): Graph {
  const { graph } = loadSample("digits-mlp");
  const [pixels] = graph.inputs;
  const first = graph.nodes.find(({ inputs }) => inputs[0] === pixels?.name);
  const weights = graph.constants.get(first?.inputs[1] ?? "");
  if (!weights) throw new RangeError("digits-mlp begins with a layer of weights");
  const values = weights.values.map((value) => value / 16);
  const constants = new Map(graph.constants).set(weights.name, { ...weights, values });
  return { ...graph, constants };
}

export const brightDigitsOnnx = (): Uint8Array => exportOnnx(brightDigits());

/** Rows of pixels, 0 to 16. */
export function brightRows(count: number): number[][] {
  const { rows } = loadSample("digits-mlp");
  return rows.slice(0, count).map((row) => Array.from(row, (value) => value * 16));
}

/** The digit that the float model sees in a row. */
export function brightClass(row: readonly number[]): number {
  const graph = brightDigits();
  const inputs = new Map([["pixels", { shape: [1, 64], values: Float64Array.from(row) }]]);
  const [scores] = [...runGraph(graph, inputs).values()];
  return indexOfLargest(Array.from(scores?.values ?? []));
}

export const indexOfLargest = (scores: readonly number[]): number =>
  scores.indexOf(Math.max(...scores));
