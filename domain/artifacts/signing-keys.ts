import type { SigningKey } from "@/lib/common/contract";
import { database } from "@/lib/server/db";

/** Makes a key known to board servers. Keys overlap while one is replaced, so none is ever taken back here. */
export async function registerSigningKey({
  keyId,
  publicKey,
  endorsement,
}: SigningKey): Promise<void> {
  await database().signingKey.createMany({
    data: { keyId, publicKey, ...(endorsement ? { endorsement } : {}) },
    skipDuplicates: true,
  });
}
