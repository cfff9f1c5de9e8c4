import { reshapedHead } from "../model/head";
import { reshaped } from "../model/maps/value";
import { axesOf, type Operator } from "./operator";
import { tornRows } from "./torn-rows";

/** Without dimensions of 1. */
export const squeeze: Operator = {
  evaluate: ({ node, input, optional }) => {
    const { shape, values } = input(0);
    const axes = axesOf(node, optional(1)?.values)?.map((axis) =>
      axis < 0 ? axis + shape.length : axis,
    );
    return {
      shape: shape.filter((size, axis) => (axes ? !axes.includes(axis) : size !== 1)),
      values,
    };
  },
  folds: true,
  list: ({ list }) => list(0),
  read: ({ node, value, list }) => {
    const own = value(0);
    const rank = own.shape.length + 1;
    const axes = axesOf(node, list(1))?.map((axis) => (axis < 0 ? axis + rank : axis));
    const drops = (axis: number) => (axes ? axes.includes(axis + 1) : own.shape[axis] === 1);
    if (axes?.includes(0) || own.shape.some((size, axis) => drops(axis) && size !== 1)) {
      throw tornRows(node, "over these axes");
    }
    return reshaped(
      own,
      own.shape.filter((_, axis) => !drops(axis)),
    );
  },
  head: reshapedHead,
};

/** Dimensions of 1 at these axes of a shape of so many. */
function widened(shape: readonly number[], axes: readonly number[]): number[] {
  const rest = [...shape];
  return Array.from({ length: shape.length + axes.length }, (_, axis) =>
    axes.includes(axis) ? 1 : (rest.shift() ?? 1),
  );
}

/** With dimensions of 1 put in. */
export const unsqueeze: Operator = {
  evaluate: ({ node, input, optional }) => {
    const { shape, values } = input(0);
    const axes = axesOf(node, optional(1)?.values) ?? [];
    const rank = shape.length + axes.length;
    return {
      shape: widened(
        shape,
        axes.map((axis) => (axis < 0 ? axis + rank : axis)),
      ),
      values,
    };
  },
  folds: true,
  list: ({ list }) => list(0),
  read: ({ node, value, list }) => {
    const own = value(0);
    const axes = axesOf(node, list(1)) ?? [];
    const rank = own.shape.length + 1 + axes.length;
    const places = axes.map((axis) => (axis < 0 ? axis + rank : axis));
    if (places.includes(0)) throw tornRows(node, "over these axes");
    return reshaped(own, widened([-1, ...own.shape], places).slice(1));
  },
  head: reshapedHead,
};
