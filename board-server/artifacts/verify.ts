import type { AdoptedBoard, AttachedBoard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import {
  adoptionsText,
  attachmentsText,
  type Command,
  commandText,
  gatewaysText,
  isSigned,
  type LoadCommand,
  type SignedAdoptions,
  type SignedAttachments,
  type SignedCommand,
  type SignedGateways,
  type SigningKey,
} from "@/lib/server/board-protocol";
import { digestOfJson } from "@/lib/server/digest";

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

/** For which server words of the control plane must be, and whose. */
interface Trust {
  readonly serverId: string;
  readonly keys: readonly SigningKey[];
}

/**
 * The command, once it is sure that a pinned key of the control plane signed it, every field of it, and for this server.
 *
 * @throws {AppError} `SIGNATURE_INVALID`
 */
export function openCommand(
  { command, ...signed }: SignedCommand,
  { serverId, keys }: Trust,
): Command {
  requireSigned("A command", { ...signed, text: commandText(serverId, command), keys });
  return command;
}

/**
 * The boards that were adopted, once it is sure that a pinned key signed all of them as the answer to that very poll.
 *
 * @param trust `nonce`: that of the poll.
 * @throws {AppError} `SIGNATURE_INVALID`
 */
export function openAdoptions(
  { boards, ...signed }: SignedAdoptions,
  { keys, ...poll }: Trust & { readonly nonce: string },
): AdoptedBoard[] {
  requireSigned("The list of adopted boards", {
    ...signed,
    text: adoptionsText(poll, boards),
    keys,
  });
  return boards;
}

/**
 * The boards at addresses, held against their signature as `openAdoptions` does.
 *
 * @throws {AppError} `SIGNATURE_INVALID`
 */
export function openAttachments(
  { boards, ...signed }: SignedAttachments,
  { keys, ...poll }: Trust & { readonly nonce: string },
): AttachedBoard[] {
  requireSigned("The list of attached boards", {
    ...signed,
    text: attachmentsText(poll, boards),
    keys,
  });
  return boards;
}

/**
 * The keys of the gateways that may call, held against their signature as `openAdoptions` does.
 *
 * @throws {AppError} `SIGNATURE_INVALID`
 */
export function openGateways(
  { keys: gateways, ...signed }: SignedGateways,
  { keys, ...poll }: Trust & { readonly nonce: string },
): string[] {
  requireSigned("The list of gateways", { ...signed, text: gatewaysText(poll, gateways), keys });
  return gateways;
}

function requireSigned(
  what: string,
  {
    text,
    keyId,
    signature,
    keys,
  }: {
    readonly text: string;
    readonly keyId: string;
    readonly signature: string;
    readonly keys: readonly SigningKey[];
  },
): void {
  const key = keys.find((each) => each.keyId === keyId);
  if (!key) {
    throw fail("SIGNATURE_INVALID", `${what} is signed by a key that is not pinned here.`, {
      hint: "Replace the portal's key by an overlap, or enrol this board server again.",
    });
  }
  if (!isSigned(text, signature, key.publicKey))
    throw fail("SIGNATURE_INVALID", `${what} has a signature that does not hold.`);
}
