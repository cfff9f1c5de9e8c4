import type { Manifest, ProofLevel } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { keepsSchedule, scheduleOf } from "./schedule";

/** A simulated design, and what it must answer over its link. */
export interface ProofTask {
  readonly level: Exclude<ProofLevel, "rtl">;
  readonly work: string;
  readonly simulation: string;
  /** What its identity must say: the plan that it was made from. */
  readonly planDigest: string;
  readonly core: NonNullable<Manifest["core"]>;
  readonly vectors: readonly Int8Array[];
  /** What the integer graph answers to the vectors, one after the other. */
  readonly outputs: Uint8Array;
  readonly rows: {
    readonly most: number;
    /** These go through however long they take; the rest while there is time. */
    readonly least: number;
    readonly withinMs: number;
  };
}

/** The first vectors of a plan: all zero, all minimum, all maximum. */
const extremes = 3;
/** Steps of this share of a list fall evenly on it, whenever one stops: the golden ratio's fraction. */
const evenly = 0.618033988749895;

/**
 * Sends rows through a design: the extremes, then others spread over all vectors.
 *
 * @param ask Sends one row over the link and gives the answer, with the cycles that the design counted.
 * @returns How many rows it answered right.
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export function proveRows(
  { core, vectors, outputs, rows, level }: ProofTask,
  ask: (
    row: Uint8Array,
    at: { readonly index: number; readonly answered: number },
  ) => { readonly output: Uint8Array; readonly cycles: number },
): number {
  const wrong = wrongAt(level);
  const started = performance.now();
  const chosen = spread(vectors.length).slice(0, rows.most);
  let answered = 0;
  for (const index of chosen) {
    if (answered >= rows.least && performance.now() - started > rows.withinMs) break;
    const row = vectors[index] ?? new Int8Array(core.inputBytes);
    const payload = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    const { output, cycles } = ask(payload, { index, answered });
    const expected = outputs.subarray(index * core.outputBytes, (index + 1) * core.outputBytes);
    if (Buffer.compare(output, expected) !== 0)
      throw wrong(`answers vector ${index} otherwise than the software model`);
    if (!keepsSchedule(core, cycles))
      throw wrong(`counts ${cycles} cycles for vector ${index}, its schedule ${scheduleOf(core)}`);
    answered += 1;
  }
  return answered;
}

/** Every index below `count` that is visited, none twice: the extremes, then the rest evenly. */
function spread(count: number): number[] {
  const rest = count - extremes;
  const others = Array.from(
    { length: Math.max(0, rest) },
    (_, step) => extremes + Math.floor(((step * evenly) % 1) * rest),
  );
  return [...new Set([0, 1, 2, ...others])].filter((index) => index < count);
}

/** Makes the error that says what is wrong with an answer. */
export type Wrong = (what: string) => Error;

const subjects = {
  shell: "simulated shell",
  netlist: "synthesised netlist",
  bitstream: "design that was read back from the bitstream",
} as const;

/** What a design of a level does wrong, as an error that names the level. */
export const wrongAt =
  (level: ProofTask["level"]): Wrong =>
  (what) =>
    fail("VERIFICATION_FAILED", `The ${subjects[level]} ${what}.`, {
      hint: "This is a fault of the compiler or of a tool, not of the model. Please report it.",
      details: { level, node: level },
    });
