import { createPublicKey, verify } from "node:crypto";
import { fail } from "@/lib/common/errors";
import type { LoadCommand } from "@/lib/server/board-protocol";
import { digestOfJson } from "@/lib/server/digest";
import type { SigningKey } from "../control/journal";

/**
 * Holds a load command against itself (R7): the manifest has the digest that was commanded, a key that we know signed
 * that digest, and the artifact was made for the board model and part it is to be loaded on.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH`, `SIGNATURE_INVALID`, `DEVICE_MISMATCH`.
 */
export function verifyCommand(command: LoadCommand, keys: readonly SigningKey[]): void {
  const { manifest, signature, artifactDigest, board } = command;
  if (digestOfJson(manifest) !== artifactDigest || signature.digest !== artifactDigest) {
    throw fail("ARTIFACT_MISMATCH", "The manifest is not the one that the digest names.");
  }
  const key = keys.find(({ keyId }) => keyId === signature.keyId);
  if (!key) throw fail("SIGNATURE_INVALID", "The artifact is signed by a key unknown here.");
  if (!isSigned(signature.digest, signature.signature, key.publicKey)) {
    throw fail("SIGNATURE_INVALID", "The artifact's signature does not hold.");
  }
  if (manifest.boardModel !== board.boardModel || (manifest.part ?? null) !== board.part) {
    throw fail(
      "DEVICE_MISMATCH",
      `The artifact is for ${manifest.boardModel}, the board is a ${board.boardModel}.`,
    );
  }
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const x = Buffer.from(publicKey, "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text, "ascii"), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
