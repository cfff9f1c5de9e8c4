import type { IntegerGraph } from "@/compiler";
import { isIntegerGraph, type Plan } from "@/engines";

/** The integer graph of a plan of the built-in compiler. @throws {Error} where a plan has none. */
export function integerGraphOf({ reference }: Pick<Plan, "reference">): IntegerGraph {
  if (reference && isIntegerGraph(reference)) return reference;
  throw new Error("the plan has no integer graph");
}
