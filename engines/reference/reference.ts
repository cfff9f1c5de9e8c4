import { type IntegerGraph, runIntegerGraph } from "@/compiler";
import { readWords } from "@/lib/common/core-io";
import { type MachineGraph, runMachine } from "./machine-graph";

/**
 * The bit-exact software model of a design, as plain JSON: what simulation and board must answer alike. Every kind has
 * `input`, `output` and named `nodes`, whose values are integers.
 */
export type Reference = IntegerGraph | MachineGraph;

/** What a reference makes of a row: the output's integers, and what every node made of it, by name. */
export interface ReferenceRun {
  readonly output: Int32Array;
  readonly nodes: ReadonlyMap<string, readonly number[]>;
}

/** Whether it is an integer graph, whose nodes say how they round and saturate. */
export const isIntegerGraph = (reference: Reference): reference is IntegerGraph =>
  !("machine" in reference);

/** @param row As many integers as the reference's input has elements. @throws {RangeError} when it has others. */
export function runReference(reference: Reference, row: ArrayLike<number>): ReferenceRun {
  return isIntegerGraph(reference) ? runIntegerGraph(reference, row) : runMachine(reference, row);
}

/** The integers of a row that passes the stream port of a core: one for each byte, or little-endian words. */
export function wordsOfRow(reference: Reference, row: Int8Array): ArrayLike<number> {
  if (isIntegerGraph(reference)) return row;
  return readWords(row, reference.input.width / 8);
}
