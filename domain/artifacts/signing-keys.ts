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

/** The public half of a key of this installation; null: it has no such key. */
export async function findSigningKey(
  keyId: string,
): Promise<Pick<SigningKey, "keyId" | "publicKey"> | null> {
  return await database().signingKey.findUnique({
    where: { keyId },
    select: { keyId: true, publicKey: true },
  });
}
