import { reshapedHead } from "../model/head";
import { reshaped } from "../model/maps/value";
import { axisOf, numberOf, type Operator, sizeOf } from "./operator";
import { tornRows } from "./torn-rows";

/** The product of dimensions, −1 if any is free. */
const sizeOrFree = (dimensions: readonly number[]): number =>
  dimensions.some((dimension) => dimension < 0) ? -1 : sizeOf(dimensions);

export const flatten: Operator = {
  shape: ({ node, shapes: [shape] }) => {
    if (shape === undefined) return undefined;
    const axis = axisOf(node, shape.length, 1);
    return [sizeOrFree(shape.slice(0, axis)), sizeOrFree(shape.slice(axis))];
  },
  evaluate: ({ node, input }) => {
    const { shape, values } = input(0);
    const axis = axisOf(node, shape.length, 1);
    return { shape: [sizeOf(shape.slice(0, axis)), sizeOf(shape.slice(axis))], values };
  },
  folds: true,
  read: ({ node, value }) => {
    const own = value(0);
    if (axisOf(node, own.shape.length + 1, 1) !== 1) {
      throw tornRows(node, `with axis ${numberOf(node, "axis", 1)}`);
    }
    return reshaped(own, [sizeOf(own.shape)]);
  },
  head: reshapedHead,
};
