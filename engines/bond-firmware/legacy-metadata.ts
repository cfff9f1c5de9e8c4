import { z } from "zod";
import { fail } from "@/lib/common/errors";
import type { LegacyMetadata } from "../firmware";

/** What is usual is some hundred bytes. */
const metadataBytes = 1024 * 1024;

const count = z.number().int().min(1).max(65_536);
const metadataSchema = z.looseObject({
  board: z.string().min(1).max(63),
  n_inputs: count,
  n_outputs: count,
  predictor: z.enum(["bondmachine", "hls4ml"]),
  arch: z.string().max(63).optional(),
  flavor: z.enum(["axist", "aximm"]).optional(),
  benchcore: z.boolean().optional(),
});

const keys = Object.keys(metadataSchema.shape);
const opening = new TextDecoder("latin1");

/** Whether a file is such JSON, be it right or not. */
export function isLegacyMetadata(bytes: Uint8Array): boolean {
  if (bytes.length > metadataBytes) return false;
  const text = opening.decode(bytes.subarray(0, 65_536));
  return /^\s*\{/.test(text) && keys.filter((key) => text.includes(`"${key}"`)).length >= 3;
}

/**
 * Reads the metadata of a BondMachine firmware.
 *
 * @throws {AppError} `FIRMWARE_METADATA_INVALID` naming the first member at fault.
 */
export function parseLegacyMetadata(bytes: Uint8Array): LegacyMetadata {
  const invalid = (what: string) =>
    fail("FIRMWARE_METADATA_INVALID", `The metadata of the firmware is invalid: ${what}.`, {
      hint: 'It looks like {"board": "zedboard", "n_inputs": 4, "n_outputs": 2, "predictor": "bondmachine", "flavor": "axist", "benchcore": false}.',
    });
  if (bytes.length > metadataBytes) throw invalid("it has more than 1 MiB");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("it is no JSON");
  }
  const parsed = metadataSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join(".") || "all of it"}: ${issue?.message}`);
}
