import type { GraphNode } from "../graph/graph";
import { operatorOf } from "../operators";

/**
 * Works out a node that computes integers of shapes, as converters leave them around `Flatten`.
 *
 * @param shapeOf The full shape of a tensor of the layers, null if it is none.
 * @param listOf The integers of a name: constant, or computed so before; null where there are none.
 * @param isComputed Whether a name is such a computed list.
 * @returns Its integers; null for any other node.
 */
export function listOfShapes(
  node: GraphNode,
  {
    shapeOf,
    listOf,
    isComputed,
  }: {
    readonly shapeOf: (name: string) => readonly number[] | null;
    readonly listOf: (name: string) => readonly number[] | null;
    readonly isComputed: (name: string) => boolean;
  },
): readonly number[] | null {
  const { list } = operatorOf(node);
  if (!list || !(node.operator === "Shape" || node.inputs.some(isComputed))) return null;
  const nameAt = (index: number) => node.inputs[index] ?? "";
  return list({
    node,
    list: (index) => listOf(nameAt(index)),
    shapeOf: (index) => shapeOf(nameAt(index)),
  });
}
