import { fail } from "@/lib/common/errors";
import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "../../graph/graph";
import type { Builder, Value } from "./builder";

interface Draft {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly { readonly value: Value; readonly name: string }[];
  readonly builder: Builder;
  readonly opset: number;
}

/** Names the results as the model does, and leaves out what no result needs: transposes back that nobody reads. */
export function tidy({ inputs, outputs, builder, opset }: Draft): Graph {
  const { nodes, constants, shapes } = builder;
  if (outputs.length === 0) throw fail("MODEL_INVALID", "The model has no output.");
  const inputNames = new Set(inputs.map(({ name }) => name));
  const made = new Set(nodes.flatMap((node) => node.outputs));
  const renamed = new Map<string, string>();
  const copies: GraphNode[] = [];
  for (const { value, name } of outputs) {
    const free = made.has(value.name) && !renamed.has(value.name);
    if (free && !inputNames.has(name)) renamed.set(value.name, name);
    else {
      const own = inputNames.has(name) ? `${name}_output` : name;
      copies.push(copy(value.name, own));
    }
  }
  const nameOf = (name: string) => renamed.get(name) ?? name;
  const all = [...nodes, ...copies].map((node) => ({
    ...node,
    inputs: node.inputs.map(nameOf),
    outputs: node.outputs.map(nameOf),
  }));
  const results = outputs.map(({ value, name }): TensorSpec => {
    const { shape, datatype } = value;
    return {
      name: renamed.has(value.name) || !inputNames.has(name) ? name : `${name}_output`,
      shape,
      datatype,
    };
  });
  const kept = needed(
    all,
    results.map(({ name }) => name),
  );
  const read = new Set(kept.flatMap((node) => node.inputs));
  const allShapes = new Map([...shapes].map(([name, shape]) => [nameOf(name), shape]));
  for (const { name, shape } of results) allShapes.set(name, shape);
  return {
    inputs: inputs.map(({ name, datatype, shape }) => ({ name, datatype, shape })),
    outputs: results,
    nodes: kept,
    constants: new Map([...constants].filter(([name]) => read.has(name))),
    shapes: new Map(
      [...allShapes].filter(
        ([name]) =>
          read.has(name) ||
          results.some((each) => each.name === name) ||
          kept.some((node) => node.outputs.includes(name)),
      ),
    ),
    opset,
  };
}

const copy = (from: string, to: string): GraphNode => ({
  name: `${to}/Identity`,
  operator: "Identity",
  domain: "",
  inputs: [from],
  outputs: [to],
  attributes: {},
});

/** Nodes come after what they read, so one walk from the end finds all that is needed. */
function needed(nodes: readonly GraphNode[], outputs: readonly string[]): GraphNode[] {
  const wanted = new Set(outputs);
  const kept: GraphNode[] = [];
  for (const node of [...nodes].reverse()) {
    if (!node.outputs.some((name) => name !== "" && wanted.has(name))) continue;
    for (const name of node.inputs) wanted.add(name);
    kept.push(node);
  }
  return kept.reverse();
}
