import {
  createOnnxNode,
  decodeOnnxModel,
  encodeOnnxModel,
  type OnnxGraph,
  type OnnxValueInfo,
} from "@/proto/onnx";

import type { Graph } from "../graph/graph";

const float32 = 1;
const bfloat16 = 16;

/**
 * Gives an ONNX file's bfloat16 inputs and outputs the type float32, with casts behind and before them: ONNX Runtime
 * takes no bfloat16 from JavaScript. Widening is exact, so nothing is lost either way. Other files stay as they are.
 */
export function widenBfloat16(
  bytes: Uint8Array,
  signature: Pick<Graph, "inputs" | "outputs">,
): Uint8Array {
  const tensors = [...signature.inputs, ...signature.outputs];
  if (!tensors.some(({ datatype }) => datatype === "BF16")) return bytes;
  const model = decodeOnnxModel(bytes, { keepUnknown: true });
  const { graph } = model;
  if (!graph) return bytes;
  const weights = new Set(graph.initializer.map(({ name }) => name));
  const inputs = graph.input.filter((info) => isBfloat16(info) && !weights.has(info.name));
  const outputs = graph.output.filter(isBfloat16);
  const narrow = new Map([...inputs, ...outputs].map(({ name }) => [name, `${name}/bfloat16`]));
  rename(graph, narrow);
  const cast = (from: string, to: string, type: number) =>
    createOnnxNode({
      name: `${to}/cast`,
      opType: "Cast",
      input: [from],
      output: [to],
      attribute: [{ name: "to", type: 2, i: BigInt(type) }],
    });
  const narrowed = (name: string): string => narrow.get(name) ?? name;
  graph.node = [
    ...inputs.map(({ name }) => cast(name, narrowed(name), bfloat16)),
    ...graph.node,
    ...outputs.map(({ name }) => cast(narrowed(name), name, float32)),
  ];
  for (const info of [...inputs, ...outputs]) setFloat32(info);
  return encodeOnnxModel(model);
}

function isBfloat16({ type }: OnnxValueInfo): boolean {
  return type?.value.case === "tensorType" && type.value.value.elemType === bfloat16;
}

function setFloat32({ type }: OnnxValueInfo): void {
  if (type?.value.case === "tensorType") type.value.value.elemType = float32;
}

/** Renames values in all nodes; inner graphs read outer names, and may not give them a second meaning. */
function rename(graph: OnnxGraph, names: ReadonlyMap<string, string>): void {
  const renamed = (name: string): string => names.get(name) ?? name;
  for (const node of graph.node) {
    node.input = node.input.map(renamed);
    node.output = node.output.map(renamed);
    for (const { g, graphs } of node.attribute) {
      for (const inner of [...(g ? [g] : []), ...graphs]) rename(inner, names);
    }
  }
}
