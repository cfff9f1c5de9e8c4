import type { Digest, Signature, SigningKey } from "@/lib/common/contract";
import { loadKeyPair } from "@/lib/server/board-protocol";

/** The key that vouches for artifacts. Only the main process of a build worker holds it; no tool ever sees it. */
export interface ArtifactKey extends SigningKey {
  /** Signs the ASCII text of an artifact's digest. */
  sign(digest: Digest): Signature;
}

/** Reads the installation's Ed25519 key; makes it, readable by its owner only, at the first start. */
export async function loadArtifactKey(path: string): Promise<ArtifactKey> {
  const key = await loadKeyPair(path);
  return {
    ...key,
    sign: (digest) => ({ keyId: key.keyId, digest, signature: key.sign(digest) }),
  };
}
