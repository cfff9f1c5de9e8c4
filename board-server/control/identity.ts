import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { systemCodeOf } from "@/lib/common/errors";
import { type TlsIdentity, tlsIdentity } from "@/lib/server/board-protocol";
import { writeDurably } from "./write-durably";

/** Who this board server is: an Ed25519 key that never leaves its state folder. */
export interface Identity {
  /** Base64 of the raw 32 bytes. */
  readonly publicKey: string;
  /** What it shows to gateways of other hosts. */
  readonly tls: TlsIdentity;
  /** Ed25519 over the UTF-8 bytes of a text, base64. */
  sign(text: string): string;
}

/** Reads the server's key, or makes one, readable by its owner only. */
export async function loadIdentity(stateDir: string): Promise<Identity> {
  const file = path.join(stateDir, "identity.pem");
  const key = await readFile(file, "utf8").then(createPrivateKey, async (error: unknown) => {
    if (systemCodeOf(error) !== "ENOENT") throw error;
    const { privateKey } = generateKeyPairSync("ed25519");
    await writeDurably(file, privateKey.export({ type: "pkcs8", format: "pem" }));
    return privateKey;
  });
  const tls = tlsIdentity(key);
  return {
    publicKey: tls.publicKey,
    tls,
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
  };
}
