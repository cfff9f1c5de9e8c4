import { database } from "@/lib/server/db";

/** The public half of a key that may sign artifacts. */
export interface SigningKey {
  readonly keyId: string;
  /** Base64 of the raw 32 bytes. */
  readonly publicKey: string;
}

/** Makes a key known to board servers. Keys overlap while one is replaced, so none is ever taken back here. */
export async function registerSigningKey({ keyId, publicKey }: SigningKey): Promise<void> {
  await database().signingKey.createMany({ data: { keyId, publicKey }, skipDuplicates: true });
}
