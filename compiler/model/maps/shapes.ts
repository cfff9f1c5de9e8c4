import type { Graph, GraphNode } from "../../graph/graph";

/** Shapes that a graph computes while it runs; the batch is −1. Names of values, their integers. */
export type ShapeValues = Map<string, readonly number[]>;

/**
 * Works out a node that computes shapes from shapes, as converters leave them around `Flatten`.
 *
 * @param shapeOf The full shape of a tensor of the chain, null if it is none.
 * @returns Whether it was such a node.
 */
export function computeShape(
  node: GraphNode,
  { constants }: Graph,
  known: ShapeValues,
  shapeOf: (name: string) => readonly number[] | null,
): boolean {
  const [name = ""] = node.outputs;
  const at = (index: number): readonly number[] | null => {
    const input = node.inputs[index] ?? "";
    const constant = constants.get(input);
    return known.get(input) ?? (constant ? Array.from(constant.values) : null);
  };
  if (node.operator === "Shape") {
    const shape = shapeOf(node.inputs[0] ?? "");
    if (shape) known.set(name, shape);
    return shape !== null;
  }
  if (!node.inputs.some((input) => known.has(input))) return false;
  const result = compute(node, at);
  if (result) known.set(name, result);
  return result !== null;
}

function compute(
  node: GraphNode,
  at: (index: number) => readonly number[] | null,
): readonly number[] | null {
  const [list, second] = [at(0), at(1)];
  if (!list) return null;
  switch (node.operator) {
    case "Cast":
    case "Identity":
    case "Squeeze":
    case "Unsqueeze":
      return list;
    case "Gather":
      return second ? second.map((index) => list.at(index) ?? 0) : null;
    case "Slice": {
      const steps = at(4);
      if (steps?.some((step) => step !== 1)) return null;
      return second ? list.slice(second[0], at(2)?.[0]) : null;
    }
    case "Concat":
      return node.inputs.flatMap((_, index) => at(index) ?? Number.NaN);
    default:
      return null;
  }
}
