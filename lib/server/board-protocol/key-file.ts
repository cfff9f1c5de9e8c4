import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import type { SigningKey } from "@/lib/common/contract";
import { writeFirst } from "@/lib/server/process";
import { rawPublicKey } from "./certificate";
import { endorsedText } from "./keys";

/** An Ed25519 key of the installation that board servers pin. */
export interface KeyPair extends SigningKey {
  /** Ed25519 over the UTF-8 bytes of a text, base64. */
  sign(text: string): string;
}

/**
 * Reads a key; makes it, readable by its owner only, at the first start. To replace it, move the file to `<path>.previous`:
 * that key vouches for the new one, so that board servers go on without another enrolment.
 */
export async function loadKeyPair(path: string): Promise<KeyPair> {
  const key = toKeyPair(await loadPrivateKey(path));
  const before = await read(beside(path, "previous"));
  if (before === null) return key;
  const previous = toKeyPair(createPrivateKey(before));
  const signature = previous.sign(endorsedText(key));
  return { ...key, endorsement: { keyId: previous.keyId, signature } };
}

/** Reads an Ed25519 key; makes it, readable by its owner only, at the first start. */
export async function loadPrivateKey(path: string): Promise<KeyObject> {
  return createPrivateKey((await read(path)) ?? (await create(path)));
}

/** Not one template: Next's bundler would take it for a pattern. */
const beside = (path: string, ending: string): string => [path, ending].join(".");

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function create(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  await writeFirst(path, privateKey.export({ type: "pkcs8", format: "pem" }));
  return await readFile(path, "utf8");
}

function toKeyPair(key: KeyObject): KeyPair {
  const publicKey = rawPublicKey(key);
  const raw = Buffer.from(publicKey, "base64");
  return {
    keyId: createHash("sha256").update(raw).digest("hex").slice(0, 16),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
  };
}
