import { fail } from "@/lib/common/errors";
import type { OnnxGraph, OnnxNode } from "@/proto/onnx";
import type { GraphConstant, GraphNode } from "../../graph/graph";
import { quoted } from "../../graph/words";
import { readAttributes } from "./attributes";
import { nodeNames, operatorInWords } from "./names";
import { isKnownOperator, normalDomain } from "./operators";
import { inOrder } from "./order";
import { readTensor } from "./tensor";

/** The checked insides of a graph or subgraph. */
export interface ReadGraph {
  /** In topological order; `Constant` nodes have become constants. */
  readonly nodes: readonly GraphNode[];
  readonly constants: ReadonlyMap<string, GraphConstant>;
  /** Names of the graph around it that it reads. */
  readonly captured: ReadonlySet<string>;
}

/** What is known outside of the graph that is being read. */
export interface Surroundings {
  /** Whether an inner graph may read a name. Asked level by level: copying names for each subgraph would be quadratic. */
  readonly has: (name: string) => boolean;
  /** Operators that the model defines itself, as `domain:name`. */
  readonly functions: ReadonlySet<string>;
}

interface Draft extends GraphNode {
  readonly needs: readonly string[];
}

/**
 * Checks names, weights, operators and order of a graph and everything inside it.
 *
 * @throws {AppError} with the reason of the first fault.
 */
export function readGraph(graph: OnnxGraph, around: Surroundings): ReadGraph {
  const constants = new Map<string, GraphConstant>();
  for (const tensor of graph.initializer) {
    const constant = readTensor(tensor, tensor.name);
    if (constant) constants.set(tensor.name, constant);
  }
  for (const { values } of graph.sparseInitializer) {
    if (values) readTensor(values, values.name);
  }
  const defined = definedNames(graph);
  const inner: Surroundings = {
    functions: around.functions,
    has: (name) => defined.has(name) || around.has(name),
  };
  const names = nodeNames(graph.node);
  const captured = new Set<string>();
  const drafts: Draft[] = [];
  for (const [index, node] of graph.node.entries()) {
    const draft = readNode(node, names[index] ?? "", inner);
    for (const need of draft.needs) {
      if (defined.has(need)) continue;
      if (!around.has(need)) throw missingValue(draft.name, need);
      captured.add(need);
    }
    const constant = constantOf(draft);
    if (constant) constants.set(constant.name, constant);
    else drafts.push(draft);
  }
  for (const { name } of graph.output) {
    if (defined.has(name)) continue;
    if (!around.has(name))
      throw fail("MODEL_INVALID", `Output ${quoted(name)} is made by no node.`);
    captured.add(name);
  }
  const nodes = inOrder(drafts).map(({ needs: _, ...node }): GraphNode => node);
  return { nodes, constants, captured };
}

/** Every name that the graph itself gives a value; each may be given once. */
function definedNames(graph: OnnxGraph): Set<string> {
  const inputs = new Set(graph.input.map(({ name }) => name));
  const stored = [...graph.initializer, ...sparseValues(graph)].map(({ name }) => name);
  const defined = new Set([...inputs, ...stored]);
  for (const output of graph.node.flatMap((node) => node.output)) {
    if (output === "") continue;
    if (defined.has(output)) {
      throw fail("MODEL_INVALID", `Value ${quoted(output)} is made more than once.`, {
        hint: "Each name may be given by one input, weight or node; export the model again.",
      });
    }
    defined.add(output);
  }
  return defined;
}

const sparseValues = (graph: OnnxGraph) =>
  graph.sparseInitializer.flatMap(({ values }) => (values ? [values] : []));

function readNode(node: OnnxNode, name: string, around: Surroundings): Draft {
  const domain = normalDomain(node.domain);
  if (!isKnownOperator(domain, node.opType) && !around.functions.has(`${domain}:${node.opType}`)) {
    throw fail(
      "OPERATOR_UNKNOWN",
      `Node ${quoted(name)} uses operator ${quoted(operatorInWords(node))}, which no engine knows.`,
      { hint: "Express it with standard ONNX operators and export the model again." },
    );
  }
  const subgraphs = node.attribute.flatMap(({ g, graphs }) => (g ? [g, ...graphs] : graphs));
  const captured = subgraphs.flatMap((graph) => [...readGraph(graph, around).captured]);
  const inputs = node.input;
  return {
    name,
    operator: node.opType,
    domain,
    inputs,
    outputs: node.output,
    attributes: readAttributes(node, name),
    needs: [...inputs.filter((input) => input !== ""), ...captured],
  };
}

function missingValue(node: string, value: string) {
  return fail(
    "MODEL_INVALID",
    `Node ${quoted(node)} reads ${quoted(value)}, which is no input, weight or result.`,
    { hint: "The export left something out; export the model again." },
  );
}

/** The value of a `Constant` node that holds numbers; null for others, and for constants of text. */
function constantOf({ operator, domain, outputs, attributes }: Draft): GraphConstant | null {
  const [name] = outputs;
  if (operator !== "Constant" || domain !== "" || name === undefined) return null;
  const { value, value_float, value_int, value_floats, value_ints } = attributes;
  if (typeof value === "object" && "values" in value && "datatype" in value) {
    return constantNamed(name, value);
  }
  if (typeof value_float === "number") return scalar(name, "FP32", value_float);
  if (typeof value_int === "number") return scalar(name, "INT64", value_int);
  if (Array.isArray(value_floats)) return vector(name, "FP32", value_floats);
  if (Array.isArray(value_ints)) return vector(name, "INT64", value_ints);
  return null;
}

const constantNamed = (name: string, value: GraphConstant): GraphConstant => ({
  name,
  datatype: value.datatype,
  shape: value.shape,
  get values(): Float64Array {
    return value.values;
  },
});

const scalar = (name: string, datatype: string, value: number): GraphConstant => ({
  name,
  datatype,
  shape: [],
  values: Float64Array.of(value),
});

const vector = (name: string, datatype: string, values: readonly number[]): GraphConstant => ({
  name,
  datatype,
  shape: [values.length],
  values: Float64Array.from(values),
});
