import { classNames } from "../model/head";
import { elementwise } from "./elementwise";
import { type Operator, sizeOf } from "./operator";

/** The dimensions of a tensor, as integers. */
export const shape: Operator = {
  evaluate: ({ input }) => {
    const { shape: own } = input(0);
    return { shape: [own.length], values: Float64Array.from(own) };
  },
  list: ({ shapeOf }) => shapeOf(0),
};

/** Elements of a tensor, as counts of its shape. */
export const reduceProd: Operator = {
  evaluate: ({ input }) => {
    const { values } = input(0);
    return { shape: [1], values: Float64Array.of(sizeOf(Array.from(values))) };
  },
  list: ({ list }) => {
    const sizes = list(0);
    return sizes && [sizeOf(sizes)];
  },
};

/** Of dimensions that are alike, or 1 on one side. */
export const max: Operator = {
  ...elementwise["Max"],
  list: ({ list }) => {
    const [left, right] = [list(0), list(1)];
    if (!left || left.length !== right?.length) return null;
    return left.map((size, axis) => (size === 1 ? (right[axis] ?? 1) : size));
  },
};

/** Along the first axis of a vector, as shapes are picked apart; behind the scores, names of classes. */
export const gather: Operator = {
  evaluate: ({ input }) => {
    const [{ values }, places] = [input(0), input(1)];
    return {
      shape: places.shape,
      values: Float64Array.from(places.values, (place) => values.at(place) ?? 0),
    };
  },
  folds: true,
  list: ({ list }) => list(1)?.map((index) => list(0)?.at(index) ?? 0) ?? null,
  head: classNames,
};

/** Part of a vector, as shapes are picked apart. */
export const slice: Operator = {
  evaluate: ({ input }) => {
    const values = Float64Array.from(input(0).values).slice(input(1).values[0], input(2).values[0]);
    return { shape: [values.length], values };
  },
  folds: true,
  list: ({ list }) => {
    if (list(4)?.some((step) => step !== 1)) return null;
    const begin = list(1);
    return begin ? (list(0)?.slice(begin[0], list(2)?.[0]) ?? null) : null;
  },
};
