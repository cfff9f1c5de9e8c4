import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fail } from "@/lib/common/errors";
import { writeFirst } from "@/lib/server/process";

/** What a sealed text is bound to: it opens with these very words alone. */
export type SealContext = readonly string[];

interface SealingKey {
  /** 16 hexadecimal digits of its SHA-256, which stand before what it sealed. */
  readonly id: string;
  readonly bytes: Buffer;
}

const keyBytes = 32;
/** NIST SP 800-38D: 96 bits, taken at random. */
const nonceBytes = 12;
const tagBytes = 16;
const version = "v1";

/** Makes the file of keys, readable by its owner only, where there is none yet. */
export async function ensureSealingKeys(path: string): Promise<void> {
  if ((await read(path)) !== null) return;
  await writeFirst(path, `${randomBytes(keyBytes).toString("base64")}\n`);
}

/**
 * Seals a text with AES-256-GCM and the first key of a file, which is made where there is none.
 *
 * @param path One key a line, 32 bytes in base64: the first seals, all of them open. Lines that begin with `#` say something.
 * @throws {AppError} `SEALING_KEY_INVALID`
 */
export async function seal(text: string, context: SealContext, path: string): Promise<string> {
  await ensureSealingKeys(path);
  const [key] = await keysOf(path);
  if (!key) throw lacks(path, "holds no key");
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(bound(context));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [version, key.id, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}

/**
 * Opens what was sealed.
 *
 * @throws {AppError} `SEALING_KEY_INVALID` where the file lacks the key or cannot be read; `SECRET_UNREADABLE` where what was sealed,
 * or what it is bound to, was changed.
 */
export async function openSealed(
  sealed: string,
  context: SealContext,
  path: string,
): Promise<string> {
  const [form, id, nonce = "", body = ""] = sealed.split(".");
  const bytes = Buffer.from(body, "base64url");
  if (form !== version || bytes.length < tagBytes) throw changed();
  const key = (await keysOf(path)).find((each) => each.id === id);
  if (!key) throw lacks(path, `does not hold the key ${id}, which sealed this secret`);
  try {
    const iv = Buffer.from(nonce, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key.bytes, iv, { authTagLength: tagBytes });
    decipher.setAAD(bound(context));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
    return text.toString("utf8");
  } catch {
    // The cause says nothing more, and nothing of it belongs into a log.
    throw changed();
  }
}

/**
 * Whether the first key sealed a text; where not, as for a text that nothing sealed, it is to be sealed again.
 *
 * @throws {AppError} `SEALING_KEY_INVALID`, also where there is no file: none is made here.
 */
export async function isSealedByFirst(sealed: string, path: string): Promise<boolean> {
  const [key] = await keysOf(path);
  if (!key) throw lacks(path, "holds no key");
  const [form, id] = sealed.split(".");
  return form === version && id === key.id;
}

const bound = (context: SealContext): Buffer => Buffer.from(JSON.stringify(context));

async function keysOf(path: string): Promise<SealingKey[]> {
  const text = await read(path);
  if (text === null) throw lacks(path, "is not there");
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (line === "" || line.startsWith("#")) return [];
    const bytes = Buffer.from(line, "base64");
    if (!/^[A-Za-z0-9+/]{43}=$/.test(line) || bytes.length !== keyBytes)
      throw lacks(path, `has no key of 32 bytes in base64 in line ${at + 1}`);
    return [{ id: createHash("sha256").update(bytes).digest("hex").slice(0, 16), bytes }];
  });
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return null;
    throw lacks(path, `cannot be read (${String(code)})`);
  }
}

const lacks = (path: string, why: string) =>
  fail("SEALING_KEY_INVALID", `The key file of stored secrets ${why}.`, {
    hint: `CONNECTION_KEY_FILE is ${path}: put the file back from a backup, give portal, control and build worker the same one, or enter the secret again (a webhook: set up another).`,
  });

const changed = () =>
  fail("SECRET_UNREADABLE", "The stored secret is damaged.", {
    hint: "Enter it again under Settings, Connections; for a webhook, set up another one under Settings, Notifications.",
  });
