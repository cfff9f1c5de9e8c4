import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { affine } from "./affine";
import type { Operator } from "./operator";

/** The numbers of an attribute: one for all columns, or one for each. */
function listOf({ attributes }: GraphNode, name: string, otherwise: number): readonly number[] {
  const value = attributes[name];
  return Array.isArray(value) ? value.map(Number) : [otherwise];
}

/** `(x − offset) · scale`, with one number for all columns or one for each. */
function scaled(node: GraphNode, { shape, values }: RealTensor): RealTensor {
  const [offset, scale] = [listOf(node, "offset", 0), listOf(node, "scale", 1)];
  return {
    shape,
    values: Float64Array.from(
      values,
      (x, index) => (x - (offset[index % offset.length] ?? 0)) * (scale[index % scale.length] ?? 1),
    ),
  };
}

export const scaler: Operator = {
  evaluate: ({ node, input }) => scaled(node, input(0)),
  read: (view) => {
    const { node, value } = view;
    const own = value(0);
    const [size = 0, ...more] = own.shape;
    const spread = (name: string, otherwise: number): Float64Array => {
      const given = listOf(node, name, otherwise);
      const isWhole = given.length === 1 || given.length === size;
      if (more.length > 0 || !isWhole || !given.every(Number.isFinite)) {
        throw refuse(node, `has ${given.length} numbers as its ${name}, for ${size} features`);
      }
      return Float64Array.from({ length: size }, (_, at) => given[at % given.length] ?? 0);
    };
    const factor = spread("scale", 1);
    const offset = spread("offset", 0).map((each, at) => -each * (factor[at] ?? 1));
    return affine(view, own, { factor, offset });
  },
};
