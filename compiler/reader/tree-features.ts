import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "../graph/graph";
import { refuse, refuseModel } from "../graph/refuse";
import { inputSpansOf } from "../model/input-spans";
import { axisOf } from "../operators/operator";

/** Features whose thresholds a manifest can hold. */
const mostFeatures = 65_536;

/** What ensembles may read. */
export interface TreeFeatures {
  readonly inputs: readonly [TensorSpec, ...TensorSpec[]];
  /** Features of a row: those of all inputs, one behind the other. */
  readonly count: number;
  /** By the name of a table: the place in that row of each of its columns. */
  readonly tables: ReadonlyMap<string, readonly number[]>;
  /** Nodes that join tables. */
  readonly nodes: ReadonlySet<GraphNode>;
}

/**
 * The tables of features of a graph: its inputs, and what is joined of them.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` for inputs that are no tables, `OPERATOR_UNSUPPORTED` for rows that are joined.
 */
export function treeFeatures(graph: Graph): TreeFeatures {
  const [input, ...others] = graph.inputs;
  if (!input) throw refuseModel("The model has no inputs; trees on FPGA boards take one or more.");
  const inputs = [input, ...others] as const;
  for (const each of inputs) refuseNoTable(each);
  const spans = inputSpansOf(inputs);
  const count = spans.reduce((sum, { size }) => sum + size, 0);
  if (count > mostFeatures) {
    throw refuseModel(
      `The model has ${count} features; trees on FPGA boards take ${mostFeatures} at most.`,
    );
  }
  const tables = new Map<string, readonly number[]>();
  for (const [at, { first, size }] of spans.entries()) {
    tables.set(
      inputs[at]?.name ?? "",
      Array.from({ length: size }, (_, place) => first + place),
    );
  }
  const nodes = new Set<GraphNode>();
  for (const node of graph.nodes) {
    const parts = node.inputs.map((name) => tables.get(name));
    if (node.operator !== "Concat" || node.domain !== "" || parts.includes(undefined)) continue;
    if (axisOf(node, 2, 1) !== 1) throw refuse(node, "joins rows, not features");
    nodes.add(node);
    tables.set(
      node.outputs[0] ?? "",
      parts.flatMap((places = []) => [...places]),
    );
  }
  return { inputs, count, tables, nodes };
}

function refuseNoTable({ name, datatype, shape }: TensorSpec): void {
  const [, features = -1] = shape;
  const isTable = shape.length === 2 && features >= 1 && features <= mostFeatures;
  if (datatype === "FP32" && isTable) return;
  throw refuseModel(
    `Input "${name}" is ${datatype} [${shape.join(", ")}]; trees on FPGA boards take FP32 [-1, features], up to ${mostFeatures} of them.`,
  );
}
