import type { Tap } from "../../integer/integer-graph";
import type { TreeLayout } from "./layout";

/** When each leaf's value and each score shows itself in the core. */
export function treeTaps({
  trees,
  sum,
  values,
  valueCycles,
  sums,
  latencyCycles,
}: TreeLayout): Tap[] {
  return [
    ...values.map(({ text }, element) => ({
      node: trees.name,
      element,
      signal: text,
      cycle: valueCycles,
    })),
    ...sums.map(({ result }, element) => ({
      node: sum.name,
      element,
      signal: result.text,
      cycle: latencyCycles,
    })),
  ];
}
