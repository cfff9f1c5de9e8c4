import type { Circuit, Node } from "./circuit";

/** A named value the outside can see. */
export interface Visible {
  readonly name: string;
  readonly node: Node;
}

export interface Register {
  readonly slot: number;
  readonly width: number;
  readonly initial: bigint;
  /** The value after the next clock edge. */
  next: Node;
  /** With an asynchronous control: the value now, which settling stores. */
  held: Node | undefined;
}

/** One memory of words of up to 64 bits; wider ones are split into several with the same addresses. */
export interface Memory {
  readonly width: number;
  /** Words that exist; writes beyond are dropped. */
  readonly size: number;
  /** Words allocated: the extra ones stay 0, so that reads need no check. */
  readonly depth: number;
  readonly initial: readonly bigint[];
}

/** A write on the clock edge: where `mask` is 1, the word takes the bits of `data`. */
export interface MemoryWrite {
  readonly memory: number;
  readonly enable: Node;
  readonly address: Node;
  readonly data: Node;
  /** Absent when the whole word is written. */
  readonly mask: Node | undefined;
}

/**
 * A synchronous design with one clock: slots hold its inputs and registers, nodes compute everything else.
 * Slots are numbered: first the inputs in order, then the registers.
 */
export interface Design {
  readonly top: string;
  readonly clock: string | undefined;
  readonly circuit: Circuit;
  readonly inputs: readonly { readonly name: string; readonly width: number }[];
  readonly outputs: readonly Visible[];
  readonly signals: readonly Visible[];
  readonly registers: readonly Register[];
  readonly memories: readonly Memory[];
  /** In order of priority: a later write wins. */
  readonly writes: readonly MemoryWrite[];
  /** Cells simulated, before lowering. */
  readonly cells: number;
}
