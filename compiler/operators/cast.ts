import { refuse } from "../graph/refuse";
import { mapped } from "./broadcast";
import { isFloatType, numberOf, type Operator, sameShape } from "./operator";

/** Conversion to an ONNX element type: 10 and 16 are narrow floats, kept as they are; 9 is bool; the rest integers. */
function castTo(type: number): (value: number) => number {
  if (type === 1) return Math.fround;
  if (isFloatType(type)) return (value) => value;
  if (type === 9) return (value) => (value === 0 ? 0 : 1);
  return Math.trunc;
}

export const cast: Operator = {
  shape: sameShape,
  evaluate: ({ node, input }) => mapped(input(0), castTo(numberOf(node, "to", 1))),
  list: ({ list }) => list(0),
  takesJoinedRows: true,
  read: ({ node, value }) => {
    // Integers are for class numbers, which come later.
    if (isFloatType(numberOf(node, "to", 1))) return value(0);
    throw refuse(node, "to an integer type rounds values");
  },
  head: ({ node, head }) => {
    if (head.activation === "argmax" || isFloatType(numberOf(node, "to", 1))) return head;
    throw refuse(node, "to an integer type rounds values");
  },
};
