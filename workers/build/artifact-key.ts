import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { Digest, Signature } from "@/lib/common/contract";

/** The key that vouches for artifacts. Only the main process of a build worker holds it; no tool ever sees it. */
export interface ArtifactKey {
  readonly keyId: string;
  /** Base64 of the raw 32 bytes. */
  readonly publicKey: string;
  /** Signs the ASCII text of an artifact's digest. */
  sign(digest: Digest): Signature;
}

/** Reads the installation's Ed25519 key; makes it, readable by its owner only, at the first start. */
export async function loadArtifactKey(path: string): Promise<ArtifactKey> {
  const pem = (await read(path)) ?? (await create(path));
  return toArtifactKey(createPrivateKey(pem));
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Several workers may start at once: the first whole file wins. */
async function create(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  await file.writeFile(privateKey.export({ type: "pkcs8", format: "pem" }));
  await file.sync();
  await file.close();
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  return await readFile(path, "utf8");
}

function toArtifactKey(key: KeyObject): ArtifactKey {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const raw = Buffer.from(x, "base64url");
  const keyId = createHash("sha256").update(raw).digest("hex").slice(0, 16);
  return {
    keyId,
    publicKey: raw.toString("base64"),
    sign: (digest) => ({
      keyId,
      digest,
      signature: sign(null, Buffer.from(digest, "ascii"), key).toString("base64"),
    }),
  };
}
