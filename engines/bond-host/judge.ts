import { z } from "zod";
import { getBoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";
import { parseLegacyMetadata, readTriple, requireNamed } from "../bond-firmware";
import type { DeriveInput } from "../engine";
import type { LegacyMetadata } from "../firmware";
import { requirePart } from "../require-part";

/** The task of the step that judges what a build server made. */
export const judgeTask = "judge";

const judgedSchema = z.strictObject({
  board: z.string(),
  inputs: z.number(),
  outputs: z.number(),
});
/** What was asked for. */
export type Judged = z.infer<typeof judgedSchema>;

/**
 * Holds the three files of a firmware against each other and against what was asked, as files that are deployed by their
 * URL are. Metadata that counts neither inputs nor outputs, as hls4ml's does, is given the network's own.
 *
 * @throws {AppError} `FIRMWARE_METADATA_INVALID`, `FIRMWARE_INVALID`, `FIRMWARE_TRUNCATED`, `FIRMWARE_MISMATCH`
 */
export function judge({ given, reads, bytes }: DeriveInput): ReadonlyMap<string, string> {
  const { board: id, inputs, outputs } = judgedSchema.parse(given);
  const board = getBoardModel(id);
  const [bitPath = "", hwhPath = "", jsonPath = ""] = reads;
  const [bit, hwh, json] = [bitPath, hwhPath, jsonPath].map((path) => bytes(path) ?? undefined);
  if (!bit || !hwh || !json) throw fail("OUTPUT_MISSING", "The firmware lacks one of its files.");
  const completed = complete(json, { n_inputs: inputs, n_outputs: outputs });
  const triple = readTriple({ bit, hwh, json: new TextEncoder().encode(completed) });
  requireNamed(triple.metadata, board);
  requirePart(triple.header, board);
  requireCounts(triple.metadata, { inputs, outputs });
  return new Map([[bitPath.replace(/bit$/, "json"), completed]]);
}

type Counts = Pick<LegacyMetadata, "n_inputs" | "n_outputs">;

/** The metadata as it came, with counts where it has none. */
function complete(json: Uint8Array, counts: Counts): string {
  const text = new TextDecoder().decode(json);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is no JSON is refused in the words that such a file has elsewhere.
    parseLegacyMetadata(json);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return text;
  const isWhole = Object.keys(counts).every((key) => Object.hasOwn(value, key));
  return isWhole ? text : JSON.stringify({ ...counts, ...value });
}

function requireCounts(
  { n_inputs, n_outputs }: Counts,
  { inputs, outputs }: { readonly inputs: number; readonly outputs: number },
): void {
  if (n_inputs === inputs && n_outputs === outputs) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The build server made a firmware of ${n_inputs} inputs and ${n_outputs} outputs; the network has ${inputs} and ${outputs}.`,
    { hint: "See that the network in the build server's store is the one that was deployed." },
  );
}
