import type { IntegerGraph } from "../integer/integer-graph";
import type { Architecture, Core } from "./architecture";
import { array } from "./array";
import { trees } from "./trees";
import { unrolled } from "./unrolled";
import { walk } from "./walk";

export type {
  Core,
  DesignResources,
  Fit,
  LayoutRequest,
  SectionRule,
  Wish,
} from "./architecture";

/** Any architecture, whose layout is known only by how it prints itself. */
export type AnyArchitecture = Architecture<() => Core>;

function any<Layout>(architecture: Architecture<Layout>): AnyArchitecture {
  return {
    ...architecture,
    layOut: (request) => {
      const fit = architecture.layOut(request);
      return fit.fits ? { ...fit, layout: () => architecture.emit(fit.layout) } : fit;
    },
    emit: (print) => print(),
  };
}

/** All ways of making hardware; of those that take a graph and fit the part, the first is built. */
const architectures: readonly AnyArchitecture[] = [
  any(unrolled),
  any(array),
  any(walk),
  any(trees),
];

/** The ways of making hardware of a graph, preferred first. @throws {RangeError} when there is none. */
export function architecturesFor(graph: IntegerGraph): readonly AnyArchitecture[] {
  const able = architectures.filter((each) => each.takes(graph));
  if (able.length === 0) throw new RangeError("No architecture has circuits for this graph.");
  return able;
}
