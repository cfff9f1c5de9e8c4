import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { addressBeside } from "@/domain/sources";
import { type FirmwarePart, partsBeside, sniff } from "@/engines";
import { type ModelCard, modelCardSchema } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { makeTemporaryFolder } from "@/lib/server/process";
import { type FetchOptions, fetchSource } from "./fetch-source";

/** Files that lie beside a model under names of their own. */
export interface Companions {
  /** `card.json` beside the model, if there is one. */
  readonly card: ModelCard | null;
  /** `test.csv` beside the model, if there is one; see `readRows`. */
  readonly rows: Uint8Array | null;
}

/** Files of the same name with other endings. */
export type Parts = Partial<Record<FirmwarePart, Uint8Array>>;

const partBytes = { bit: 256 * 1024 * 1024, hwh: 16 * 1024 * 1024, json: 1024 * 1024 } as const;

/** A store tells who may not list it that nothing may be read where nothing is. */
const nothingThere: ReadonlySet<string> = new Set(["SOURCE_NOT_FOUND", "SOURCE_ACCESS_DENIED"]);

const cardBytes = 1024 * 1024;
const rowsBytes = 16 * 1024 * 1024;

/**
 * Looks for what usually lies beside a model. That nothing is there is no error; what cannot be read is.
 *
 * @throws {AppError} `CARD_INVALID`, and what `fetchSource` throws when the source is away or sends too much.
 */
export async function fetchCompanions(
  url: string,
  options: Omit<FetchOptions, "path" | "limitBytes">,
): Promise<Companions> {
  const folder = makeTemporaryFolder("companions");
  const fetchBeside = async (name: string, limitBytes: number): Promise<Buffer | null> => {
    const beside = addressBeside(url, name);
    return beside === null
      ? null
      : await bytesOf(beside, { ...options, limitBytes, path: join(folder, name) });
  };
  try {
    const card = await fetchBeside("card.json", cardBytes);
    const rows = await fetchBeside("test.csv", rowsBytes);
    return { card: card === null ? null : parseCard(card.toString("utf8")), rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Looks for the other files of a firmware that is more than one, by the name of the one that was fetched. That one of them
 * is not there is no error here.
 *
 * @param fetched Path of the file at the URL: its first bytes tell whether there may be others.
 */
export async function fetchParts(
  url: string,
  fetched: string,
  options: Omit<FetchOptions, "path" | "limitBytes">,
): Promise<Parts> {
  if (!/\.(bit|json)$/i.test(url)) return {};
  const endings = partsBeside(url, await headOf(fetched));
  if (endings.length === 0) return {};
  const folder = makeTemporaryFolder("parts");
  const stem = url.slice(0, url.lastIndexOf("."));
  const parts: Parts = {};
  try {
    for (const ending of endings) {
      const found = await bytesOf(`${stem}.${ending}`, {
        ...options,
        limitBytes: partBytes[ending],
        path: join(folder, ending),
      });
      if (found) parts[ending] = found;
    }
    return parts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const headBytes = 64 * 1024;

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function bytesOf(url: string, options: FetchOptions): Promise<Buffer | null> {
  try {
    const { path } = await fetchSource(url, options);
    const bytes = await readFile(path);
    // Some sites answer every address with a page.
    return sniff(bytes) === "html" ? null : bytes;
  } catch (error) {
    if (isAppError(error) && nothingThere.has(error.reason)) return null;
    throw error;
  }
}

/**
 * Reads a model card.
 *
 * @throws {AppError} `CARD_INVALID` naming the first member at fault.
 */
function parseCard(text: string): ModelCard {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail("CARD_INVALID", "The model card (card.json) is no JSON.");
  }
  const card = modelCardSchema.safeParse(value);
  if (card.success) return card.data;
  const [issue] = card.error.issues;
  const where = issue?.path.join(".") || "the card itself";
  throw fail(
    "CARD_INVALID",
    `The model card (card.json) is invalid at ${where}: ${issue?.message}.`,
  );
}
