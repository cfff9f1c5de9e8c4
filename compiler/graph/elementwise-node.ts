import { isElementwise } from "@/lib/common/elementwise";
import type { GraphNode } from "./graph";

/** The numbers among a node's attributes; the choice of formula of `Gelu` is one of them. */
export function parametersOf({ attributes }: GraphNode): Record<string, number> {
  const numbers = Object.entries(attributes).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  const approximate = attributes["approximate"] === "tanh" ? { approximate: 1 } : {};
  return { ...Object.fromEntries(numbers), ...approximate };
}

/** Whether a node computes each element of its result from the same element of its operands. */
export const isElementwiseNode = ({ domain, operator }: GraphNode): boolean =>
  domain === "" && (isElementwise(operator) || operator === "Clip" || operator === "Identity");

/** Bounds of a `Clip` that are attributes, as up to operator set 10. */
export function clipAttributes({ attributes }: GraphNode): { min: number; max: number } {
  const of = (name: string, otherwise: number) => {
    const value = attributes[name];
    return typeof value === "number" ? value : otherwise;
  };
  return { min: of("min", Number.NEGATIVE_INFINITY), max: of("max", Number.POSITIVE_INFINITY) };
}
