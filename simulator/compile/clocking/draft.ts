import type { Node } from "../circuit";
import type { Register } from "../design";
import type { Sources } from "./sources";

export interface Member {
  readonly register: Register;
  /** What the register takes while the gate of its draft is 1. */
  readonly value: Node;
  /** What `value` is made of. */
  readonly sources: Sources;
}

/** Registers that keep their values while `gate` is 0. */
export interface Draft {
  readonly gate: Node;
  readonly members: readonly Member[];
}

/** Less work than this costs no more than a gate before it. */
export const worthAGate = 6;
/** Less work than this costs no more than two gates, with values that are stored twice. */
export const worthTwoGates = 20;

/** Loads, operations and stores of some registers, roughly. */
export const workOf = (members: readonly Member[]): number =>
  members.reduce((sum, { sources }) => sum + 2 + sources.operations, 0);
