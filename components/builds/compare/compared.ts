import type { Build } from "@/lib/common/contract";

/** What of a build is compared as a number. All null until it has a report that says so. */
export interface Figures {
  /** Logic cells of the part. */
  readonly cells: number | null;
  /** From the last input byte to the first result byte, at the clock it runs at. */
  readonly latencyNs: number | null;
  /** Share of rows that get the class the float model gives. */
  readonly agreement: number | null;
}

export function figuresOf({ report }: Build): Figures {
  const { latencyCycles, clockHz, resources = [], proof } = report ?? {};
  return {
    cells: resources.find(({ id }) => id === "lut")?.used ?? null,
    latencyNs: latencyCycles && clockHz ? (latencyCycles / clockHz) * 1e9 : null,
    agreement: proof?.agreement ?? null,
  };
}

/** The build as one point of a plot: its place among the compared, and its two costs. */
export interface Point {
  readonly index: number;
  readonly cells: number;
  readonly latencyNs: number;
}

/**
 * The points that no other is better than in one cost and at least as good in the other, by rising number of cells: the
 * Pareto front.
 */
export function frontOf(points: readonly Point[]): Point[] {
  return points
    .filter(
      (point) =>
        !points.some(
          (other) =>
            other.cells <= point.cells &&
            other.latencyNs <= point.latencyNs &&
            (other.cells < point.cells || other.latencyNs < point.latencyNs),
        ),
    )
    .sort((a, b) => a.cells - b.cells || a.index - b.index);
}

/** `A` for the first of the compared builds, `AA` after `Z`: what its column and its point are called. */
export const letterOf = (index: number): string =>
  (index < 26 ? "" : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** How many rows get another class than the float model gives them, from none to more than a twentieth. */
export const losses = ["none", "percent", "twentieth", "more", "unknown"] as const;
export type Loss = (typeof losses)[number];

/** The loss that an agreement stands for; unknown where no rows were compared, or the task has no classes. */
export function lossOf({ agreement }: Pick<Figures, "agreement">): Loss {
  if (agreement === null) return "unknown";
  if (agreement >= 1) return "none";
  if (agreement >= 0.99) return "percent";
  return agreement >= 0.95 ? "twentieth" : "more";
}

/** Most builds that are compared side by side: more columns nobody reads. */
export const mostCompared = 6;

/** Build ids of an address, each once, as many as are compared. */
export const idsOf = (text: string | undefined): string[] =>
  [...new Set((text ?? "").split(",").filter((id) => id !== ""))].slice(0, mostCompared);
