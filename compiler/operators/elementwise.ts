import { applyElementwise, elementwiseOperators } from "@/lib/common/elementwise";
import { clipAttributes, parametersOf } from "../graph/elementwise-node";
import { firstHead } from "../model/head";
import { broadcastShape, combined, mapped } from "./broadcast";
import { type Operator, sameShape } from "./operator";

/** Of functions of single values, those that front ends leave between constants. */
const folding = new Set("Neg Sqrt Reciprocal Pow Abs Exp Log".split(" "));

/**
 * Functions of single values, each made of its formula in `lib/common/elementwise`. Between layers they become tables: the
 * reader takes runs of them at once, so they need no reader of their own.
 */
export const elementwise: Readonly<Record<string, Operator>> = Object.fromEntries(
  Object.entries(elementwiseOperators).map(([name, operands]): [string, Operator] => [
    name,
    {
      ...(operands === 1 ? unary(name) : binary(name)),
      ...(folding.has(name) ? { folds: true } : {}),
    },
  ]),
);

function unary(name: string): Operator {
  return {
    shape: sameShape,
    evaluate: ({ node, input }) => {
      const parameters = parametersOf(node);
      return mapped(input(0), (x) => applyElementwise(name, [x], parameters));
    },
  };
}

function binary(name: string): Operator {
  return {
    shape: broadcastShape,
    evaluate: (each) => combined(each, (a, b) => applyElementwise(name, [a, b])),
  };
}

/** Of sums of trees, the host's. */
export const exp: Operator = {
  ...elementwise["Exp"],
  head: (view) => firstHead(view, "exp"),
};

export const clip: Operator = {
  shape: sameShape,
  evaluate: ({ node, input, optional }) => {
    const { min, max } = clipAttributes(node);
    const [least, most] = [optional(1)?.values[0] ?? min, optional(2)?.values[0] ?? max];
    return mapped(input(0), (x) => Math.min(most, Math.max(least, x)));
  },
};
