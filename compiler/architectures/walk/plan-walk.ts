import { recordOf } from "@/lib/common/records";
import { countOf, type Loop, loop, type Role, roles, type Sweep } from "./sweep";

/** What one step adds to each register of the walk, by the loop that goes on; the last entry ends the sweep. */
export interface Change {
  readonly address: number;
  readonly y: number;
  readonly x: number;
  readonly row: number;
  readonly group: number;
}

/** One sweep on the counters that all sweeps share. */
export interface WalkOfSweep {
  /** One for each level of the hardware, innermost first. */
  readonly counts: readonly number[];
  /** One for each level, and one for the end. */
  readonly changes: readonly Change[];
}

/** The nested loops of all sweeps on one set of counters. */
export interface Walk {
  /** How many levels each role has. */
  readonly levels: Readonly<Record<Role, number>>;
  readonly sweeps: readonly WalkOfSweep[];
}

const fields = ["address", "y", "x", "row", "group"] as const;

/** Brings the loops of all sweeps to the same levels, and works out what each step adds. */
export function planWalk(sweeps: readonly Sweep[]): Walk {
  const merged = sweeps.map((sweep) => ({
    sweep,
    loops: recordOf(roles, (role) => {
      // Where the last pixel of a line is alone, lines must be told apart.
      const joins = role !== "pixel" || !sweep.pair?.odd;
      return mergeLoops(sweep.loops[role], { hasEdge: sweep.edge !== null, joins });
    }),
  }));
  const levels = recordOf(roles, (role) =>
    Math.max(...merged.map(({ loops }) => loops[role].length)),
  );
  const nests = merged.map(({ loops }) =>
    roles.flatMap((role) =>
      Array.from({ length: levels[role] }, (_, level) => loops[role][level] ?? loop(1, {})),
    ),
  );
  const starts = startsOf(sweeps);
  return {
    levels,
    sweeps: nests.map((nest, index) => {
      const next = starts[(index + 1) % starts.length];
      const start = starts[index];
      const changes = [...nest.keys()].map((level) => changeAt(nest, level));
      const end = recordOf(fields, (field) => {
        const from = (start?.[field] ?? 0) + reachOf(nest, nest.length, field);
        return (next?.[field] ?? 0) - from;
      });
      return {
        counts: nest.map(({ count }) => count),
        changes: [...changes, end],
      };
    }),
  };
}

/** Where each sweep starts in every register. */
export function startsOf(sweeps: readonly Sweep[]): Change[] {
  let [row, group] = [0, 0];
  return sweeps.map(({ start, weightRows, constants, edge }) => {
    const begin = { ...start, ...(edge ? {} : { y: 0, x: 0 }), row, group };
    row += weightRows;
    group += constants.length;
    return begin;
  });
}

/** What all inner loops have added when they are at their last. */
function reachOf(nest: readonly Loop[], level: number, field: (typeof fields)[number]): number {
  return nest.slice(0, level).reduce((sum, each) => sum + (each.count - 1) * each[field], 0);
}

function changeAt(nest: readonly Loop[], level: number): Change {
  const own = nest[level] ?? loop(1, {});
  return recordOf(fields, (field) => own[field] - reachOf(nest, level, field));
}

/** Leaves out loops of one turn, and joins those that go on where the inner one ends. Coordinates count at edges only. */
function mergeLoops(
  loops: readonly Loop[],
  { hasEdge, joins }: { readonly hasEdge: boolean; readonly joins: boolean },
): Loop[] {
  const merged: Loop[] = [];
  for (const own of loops) {
    if (own.count === 1) continue;
    const each = hasEdge ? own : { ...own, y: 0, x: 0 };
    const inner = merged.at(-1);
    const follows =
      joins &&
      inner !== undefined &&
      fields.every((field) => each[field] === inner[field] * inner.count);
    if (follows) merged[merged.length - 1] = { ...inner, count: inner.count * each.count };
    else merged.push(each);
  }
  return merged;
}

/** Steps of one window, and windows, of a sweep. */
export const windowSteps = ({ loops }: Sweep): number => countOf(loops.window);
/** Windows of a sweep: how many sums each lane makes. */
export const windowsOf = ({ loops }: Sweep): number =>
  countOf(loops.pool) * countOf(loops.group) * countOf(loops.pixel);
