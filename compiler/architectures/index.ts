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

/** An architecture as one of many. */
export function any<Layout>(architecture: Architecture<Layout>): AnyArchitecture {
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
export const architectures: readonly AnyArchitecture[] = [
  any(unrolled),
  any(array),
  any(walk),
  any(trees),
];
