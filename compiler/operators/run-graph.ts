import { fail } from "@/lib/common/errors";
import type { Graph, GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { operatorOf } from "./index";

/**
 * Runs a graph in floating point: the answer that every fixed-point version of it is measured against. Sums are kept in
 * double precision, so it is at least as exact as a float32 run.
 *
 * @param inputs One tensor per graph input, free dimensions settled.
 * @returns Every graph output by name.
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for operators that FPGA boards have none of, `MODEL_SHAPE_INVALID` for inputs
 * that do not fit.
 */
export function runGraph(
  graph: Graph,
  inputs: ReadonlyMap<string, RealTensor>,
): Map<string, RealTensor> {
  const values = new Map<string, RealTensor>([...graph.constants, ...inputs]);
  const get = (name: string): RealTensor => {
    const value = values.get(name);
    if (value === undefined) throw fail("MODEL_INVALID", `Value \`${name}\` is not there.`);
    return value;
  };
  for (const node of graph.nodes) {
    for (const [index, result] of runNode(node, graph.opset, get).entries()) {
      const output = node.outputs[index];
      if (output) values.set(output, result);
    }
  }
  return new Map(graph.outputs.map(({ name }) => [name, get(name)]));
}

/**
 * Runs one node in floating point.
 *
 * @param get The value of a name that the node reads.
 * @throws {AppError} as `runGraph`.
 */
export function runNode(
  node: GraphNode,
  opset: number,
  get: (name: string) => RealTensor,
): readonly RealTensor[] {
  const { evaluate } = operatorOf(node);
  if (evaluate === undefined) {
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `Operator ${node.operator} of node \`${node.name}\` has no float interpreter.`,
    );
  }
  const results = evaluate({
    node,
    opset,
    input: (index) => get(node.inputs[index] ?? ""),
    optional: (index) => (node.inputs[index] ? get(node.inputs[index]) : undefined),
  });
  return [results].flat();
}
