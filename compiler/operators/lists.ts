import { classNames } from "../model/head";
import type { Operator } from "./operator";

/** The dimensions of a tensor, as integers. */
export const shape: Operator = {
  evaluate: ({ input }) => {
    const { shape: own } = input(0);
    return { shape: [own.length], values: Float64Array.from(own) };
  },
  list: ({ shapeOf }) => shapeOf(0),
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
