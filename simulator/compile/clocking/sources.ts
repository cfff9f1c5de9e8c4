import type { Node } from "../circuit";
import type { Design } from "../design";

/** What a value is made of. */
export interface Sources {
  /** Slots of the inputs and registers it reads. */
  readonly slots: ReadonlySet<number>;
  /** Whether it reads a memory that the design writes. */
  readonly readsWritten: boolean;
  /** Operations that compute it. */
  readonly operations: number;
}

/** Values of more operations are not looked into, which keeps the time of an analysis of all registers in bounds. */
const mostOperations = 2000;

/** Answers what a value is made of; undefined where it takes too many operations. */
export type SourceFinder = (value: Node) => Sources | undefined;

export function sourceFinder({ writes }: Design): SourceFinder {
  const written = new Set(writes.map(({ memory }) => memory));
  return (value) => {
    const slots = new Set<number>();
    const seen = new Set<Node>([value]);
    let readsWritten = false;
    let operations = 0;
    for (const node of seen) {
      if (node.op === "load") slots.add(node.index);
      else if (node.op !== "const") operations += 1;
      if (operations > mostOperations) return undefined;
      if (node.op === "read" && written.has(node.index)) readsWritten = true;
      for (const arg of node.args) seen.add(arg);
    }
    return { slots, readsWritten, operations };
  };
}
