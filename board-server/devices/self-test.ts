import type { Vectors } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";

/** Rows that loading runs; a build runs all of them. */
const selfTestRows = 16;

/** How many rows of a vector file a test compares; without one, none. */
export const countTestRows = (vectors: Vectors | null): number =>
  vectors ? Math.min(selfTestRows, vectors.rows) : 0;

/** Rows with the answers that are expected, one after the other. */
export interface TestRows {
  readonly count: number;
  readonly inputs: Uint8Array;
  readonly outputs: Uint8Array;
}

/**
 * Rows of a vector file, spread evenly over it.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH` when the file's bytes are no whole rows.
 */
export function pickTestRows(vectors: Vectors): TestRows {
  const inputs = Buffer.from(vectors.inputs, "base64");
  const outputs = Buffer.from(vectors.outputs, "base64");
  const inputBytes = inputs.length / vectors.rows;
  const outputBytes = outputs.length / vectors.rows;
  if (!Number.isInteger(inputBytes) || !Number.isInteger(outputBytes) || outputBytes === 0) {
    throw fail("ARTIFACT_MISMATCH", "The artifact's vector file does not hold whole rows.");
  }
  const count = countTestRows(vectors);
  const picked = Array.from({ length: count }, (_, i) => Math.floor((i * vectors.rows) / count));
  const rows = (bytes: Buffer, size: number): Uint8Array =>
    new Uint8Array(
      Buffer.concat(picked.map((row) => bytes.subarray(row * size, (row + 1) * size))),
    );
  return { count, inputs: rows(inputs, inputBytes), outputs: rows(outputs, outputBytes) };
}

/** @throws {AppError} `SELF_TEST_FAILED` naming the first of the rows that differs. */
export function requireSameRows(actual: Uint8Array, { outputs, count }: TestRows): void {
  if (Buffer.compare(actual, outputs) === 0) return;
  const size = outputs.length / count;
  const at = outputs.findIndex((byte, index) => byte !== actual[index]);
  const row = at === -1 ? count : Math.floor(at / size);
  throw fail(
    "SELF_TEST_FAILED",
    `The board's answer to test row ${row} of ${count} is not what the build recorded.`,
    { hint: "Build the model again; if the new artifact fails too, the board is at fault." },
  );
}
