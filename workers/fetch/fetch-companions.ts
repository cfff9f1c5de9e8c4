import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { sniff } from "@/engines";
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
    const beside = besideUrl(url, name);
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

/** The address of another file in the same folder; null where a query signs the one address alone. */
function besideUrl(url: string, name: string): string | null {
  if (url.includes("?")) return null;
  const slash = url.lastIndexOf("/");
  return slash < "https://".length ? null : `${url.slice(0, slash + 1)}${name}`;
}

async function bytesOf(url: string, options: FetchOptions): Promise<Buffer | null> {
  try {
    const { path } = await fetchSource(url, options);
    const bytes = await readFile(path);
    // Some sites answer every address with a page.
    return sniff(bytes) === "html" ? null : bytes;
  } catch (error) {
    if (isAppError(error) && error.reason === "SOURCE_NOT_FOUND") return null;
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
