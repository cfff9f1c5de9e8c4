import { type IntegerGraph, runIntegerGraph } from "@/compiler";
import { readWords } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import { type AdderProgram, adderProgramSchema, runAdders } from "./adder-program";
import { type MachineGraph, runMachine } from "./machine-graph";

/**
 * The bit-exact software model of a design, as plain JSON: what simulation and board must answer alike. Every kind has
 * `input`, `output` and named `nodes`, whose values are integers.
 */
export type Reference = IntegerGraph | MachineGraph | AdderProgram;

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
  if (isIntegerGraph(reference)) return runIntegerGraph(reference, row);
  return reference.machine === "da4ml" ? runAdders(reference, row) : runMachine(reference, row);
}

/** The integers of a row that passes the stream port of a core: one for each byte, or little-endian words. */
export function wordsOfRow(reference: Reference, row: Int8Array): ArrayLike<number> {
  if (isIntegerGraph(reference)) return row;
  return readWords(row, reference.input.width / 8);
}

/**
 * A reference that a step of a plan made, since what it is of could not be read before.
 *
 * @throws {AppError} `OUTPUT_INVALID` where it is none, or has other edges than the plan says.
 */
export function parseMadeReference(text: string, planned: Reference): Reference {
  const edges = ({ input, output }: Pick<Reference, "input" | "output">) =>
    JSON.stringify(
      [input, output].map(({ name, size, width, fraction }) => [name, size, width, fraction]),
    );
  try {
    const made = adderProgramSchema.parse(JSON.parse(text));
    if (edges(made) === edges(planned)) return made;
  } catch (cause) {
    throw fail("OUTPUT_INVALID", "The software model that a tool made cannot be read.", { cause });
  }
  throw fail(
    "OUTPUT_INVALID",
    "The software model that a tool made has other edges than its plan.",
  );
}
