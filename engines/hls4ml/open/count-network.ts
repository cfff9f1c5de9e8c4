import { countAdders, type IntegerGraph } from "@/compiler";
import type { AdderCount } from "./adder-outline";

/** Levels that rounding and clamping take besides those of the compiler's own adders, for each layer. */
const levelsPerLayer = 2;

/** The adders of a network: what its weights say, without making any. */
export function countNetwork(graph: IntegerGraph): AdderCount {
  const layers = graph.nodes.flatMap((node) =>
    node.op === "dense" ? [{ ...node, hasTable: false }] : [],
  );
  const counted = countAdders(layers);
  const sum = (of: (each: (typeof counted)[number]) => number) =>
    counted.reduce((total, each) => total + of(each), 0);
  return {
    digits: sum(({ digits }) => digits),
    levels: sum(({ levels }) => levels) + levelsPerLayer * layers.length,
  };
}
