import { fail } from "@/lib/common/errors";
import { scalarOperators } from "./functions";

/** The value that goes in (0), the result of the n-th operation (n, counted from 1), or a number. */
export type ElementwiseOperand = { readonly from: number } | { readonly constant: number };

/** One step of a program: its operator, and where its operands come from. */
export interface ElementwiseOperation {
  /** As ONNX calls it. */
  readonly operator: string;
  readonly operands: readonly ElementwiseOperand[];
  readonly parameters: Readonly<Record<string, number>>;
}

/** A function of one real number as operators in order; the last one's result is the answer. Plain JSON. */
export type ElementwiseProgram = readonly ElementwiseOperation[];

/** Whether a program can have this operator. */
export const isElementwise = (operator: string): boolean =>
  Object.hasOwn(scalarOperators, operator);

/** Every operator that programs have, with how many operands it takes. */
export const elementwiseOperators: Readonly<Record<string, 1 | 2>> = Object.fromEntries(
  Object.entries(scalarOperators).map(([name, { operands }]) => [name, operands]),
);

/** Names of their attributes, all of which are floats where a model holds them as numbers. */
export const elementwiseAttributes: ReadonlySet<string> = new Set(
  Object.values(scalarOperators).flatMap(({ defaults }) => Object.keys(defaults)),
);

/**
 * Evaluates a program at one point, in double precision.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for an operator that is none of `isElementwise`.
 */
export function evaluateElementwise(program: ElementwiseProgram, x: number): number {
  const values = [x];
  for (const { operator, operands, parameters } of program) {
    values.push(
      applyElementwise(
        operator,
        operands.map((each) => ("constant" in each ? each.constant : (values[each.from] ?? 0))),
        parameters,
      ),
    );
  }
  return values.at(-1) ?? x;
}

/** One operator on one element of each operand. @throws {AppError} `OPERATOR_UNSUPPORTED` */
export function applyElementwise(
  operator: string,
  operands: readonly number[],
  parameters: Readonly<Record<string, number>> = {},
): number {
  const found = isElementwise(operator) ? scalarOperators[operator] : undefined;
  if (found) return found.apply(operands, parameters);
  throw fail("OPERATOR_UNSUPPORTED", `${operator} is no function of single elements.`);
}

/** An operator without parameters. */
export const elementwiseOperation = (
  operator: string,
  ...operands: readonly ElementwiseOperand[]
): ElementwiseOperation => ({ operator, operands, parameters: {} });

/** `second(first(x))`. */
export function composeElementwise(
  first: ElementwiseProgram,
  second: ElementwiseProgram,
): ElementwiseProgram {
  const moved = ({ operands, ...operation }: ElementwiseOperation): ElementwiseOperation => ({
    ...operation,
    operands: operands.map((each) =>
      "constant" in each ? each : { from: each.from + first.length },
    ),
  });
  return [...first, ...second.map(moved)];
}
