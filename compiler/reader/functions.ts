import {
  type ElementwiseOperation,
  type ElementwiseProgram,
  elementwiseOperation,
} from "@/lib/common/elementwise";
import type { GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";

/** Scale and offset of each value. */
interface Affine {
  readonly factor: Float64Array;
  readonly offset: Float64Array;
}

/** Operators between two layers: more have not been met in any model. */
const mostOperators = 256;

/** @throws {AppError} `OPERATOR_UNSUPPORTED` for more functions in a row than any model has. */
export function refuseManyFunctions(
  node: Pick<GraphNode, "operator" | "name">,
  program: ElementwiseProgram,
): void {
  if (program.length <= mostOperators) return;
  throw refuse(node, `is one of more than ${mostOperators} functions in a row`);
}

/** Whether a scale and an offset are the same for every value. */
export const isUniform = ({ factor, offset }: Affine): boolean =>
  factor.every((value) => value === factor[0]) && offset.every((value) => value === offset[0]);

/** Such a scale and offset as operators. */
export function uniform(affine: Affine): ElementwiseProgram {
  const [factor = 1] = affine.factor;
  const [offset = 0] = affine.offset;
  return [operation("Mul", factor), elementwiseOperation("Add", { from: 1 }, { constant: offset })];
}

/** One operator on what goes in, with a number where it takes one. */
export const operation = (operator: string, constant?: number): ElementwiseOperation =>
  elementwiseOperation(operator, { from: 0 }, ...(constant === undefined ? [] : [{ constant }]));
