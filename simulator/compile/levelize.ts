import { fail } from "@/lib/common/errors";
import type { Bit } from "./netlist";

/** A piece of combinational logic: it can be built once everything that drives `reads` has been. */
export interface Task {
  readonly name: string;
  readonly reads: readonly Bit[];
  readonly drives: readonly Bit[];
  readonly build: () => void;
  /** The same logic as one task per bit, where bits do not depend on each other. */
  readonly split?: () => readonly Task[];
}

/**
 * Orders tasks so that each comes after those it reads from. Words that seem to depend on themselves only
 * because their bits do (a carry chain written on a vector) are split into bits first.
 *
 * @param nameOf Name of a net bit, for the error.
 * @throws {AppError} `NETLIST_INVALID` naming the nets of a combinational loop.
 */
export function levelize(tasks: readonly Task[], nameOf: (bit: number) => string): Task[] {
  const { order, stuck } = sort(tasks);
  if (stuck.length === 0) return order;
  const looping = withoutFollowers(stuck);
  const pieces = looping.flatMap((task) =>
    task.split && task.drives.length > 1 ? task.split() : [task],
  );
  if (pieces.length > looping.length) {
    const kept = new Set(looping);
    return levelize([...tasks.filter((task) => !kept.has(task)), ...pieces], nameOf);
  }
  const names = loopOf(looping).map(nameOf);
  throw fail(
    "NETLIST_INVALID",
    `The design has a combinational loop through ${names.join(", ")}.`,
    { details: { nets: names } },
  );
}

/** Leaves out what only waits for a loop and is not part of one. */
function withoutFollowers(stuck: readonly Task[]): readonly Task[] {
  for (let kept = stuck; ; ) {
    const read = new Set(kept.flatMap((task) => task.reads));
    const needed = kept.filter((task) => task.drives.some((bit) => read.has(bit)));
    if (needed.length === kept.length) return kept;
    kept = needed;
  }
}

function driversOf(tasks: readonly Task[]): Map<number, number> {
  const drivers = new Map<number, number>();
  tasks.forEach((task, index) => {
    for (const bit of task.drives) if (typeof bit === "number") drivers.set(bit, index);
  });
  return drivers;
}

/** Kahn's algorithm; `stuck` is what lies on or behind a loop. */
function sort(tasks: readonly Task[]): { order: Task[]; stuck: Task[] } {
  const drivers = driversOf(tasks);
  const readers = tasks.map((): number[] => []);
  const waiting = tasks.map((task, index) => {
    const sources = new Set<number>();
    for (const bit of task.reads) {
      const source = typeof bit === "number" ? drivers.get(bit) : undefined;
      if (source !== undefined) sources.add(source);
    }
    for (const source of sources) readers[source]?.push(index);
    return sources.size;
  });
  const ready = waiting.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let next = 0; next < ready.length; next++) {
    for (const reader of readers[ready[next] ?? -1] ?? []) {
      const left = (waiting[reader] ?? 0) - 1;
      waiting[reader] = left;
      if (left === 0) ready.push(reader);
    }
  }
  const done = new Set(ready);
  return {
    order: ready.flatMap((index) => tasks[index] ?? []),
    stuck: tasks.filter((_, index) => !done.has(index)),
  };
}

/** The nets of one loop among tasks that all wait for each other, found by walking against the flow. */
function loopOf(stuck: readonly Task[]): number[] {
  const drivers = driversOf(stuck);
  const path: { task: number; bit: number }[] = [];
  const seen = new Map<number, number>();
  let task = 0;
  while (!seen.has(task)) {
    seen.set(task, path.length);
    const bit = stuck[task]?.reads.find((read) => typeof read === "number" && drivers.has(read));
    if (typeof bit !== "number") return [];
    task = drivers.get(bit) ?? 0;
    path.push({ task, bit });
  }
  return path.slice(seen.get(task)).map((step) => step.bit);
}
