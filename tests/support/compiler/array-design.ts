import { array } from "@/compiler/architectures/array";
import type { IntegerGraph } from "@/compiler/integer/integer-graph";
import type { PartTarget } from "@/compiler/target/part";

/** A graph on the array of a part: its layout with its core. */
export function arrayDesign(graph: IntegerGraph, target: PartTarget, lanes: number | null = null) {
  const fit = array.layOut({ graph, target, wish: { architecture: "array", lanes } });
  if (!fit.fits) throw new Error(`The graph ${fit.lack}.`);
  const { layout, latencyCycles } = fit;
  return { ...layout, ...array.emit(layout), latencyCycles };
}
