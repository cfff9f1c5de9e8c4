import { createPublicKey, verify } from "node:crypto";
import {
  type AdoptedBoard,
  type AttachedBoard,
  type Command,
  canonicalJson,
  type SigningKey,
} from "@/lib/common/contract";

/** Whether a text is signed by a key, in the one base64 spelling that the signature has. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const bytes = Buffer.from(signature, "base64");
    if (bytes.toString("base64") !== signature) return false;
    const x = Buffer.from(publicKey, "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text), key, bytes);
  } catch {
    return false;
  }
}

/** The text that the control plane signs: the whole command, and for whom it is. */
export function commandText(serverId: string, command: Command): string {
  return canonicalJson({ command, serverId });
}

/** The text that the control plane signs with the boards that were adopted: they answer one poll of one server. */
export function adoptionsText(
  { serverId, nonce }: { readonly serverId: string; readonly nonce: string },
  adopted: readonly AdoptedBoard[],
): string {
  return canonicalJson({ adopted, nonce, serverId });
}

/** The text that the control plane signs with the boards at addresses: they answer one poll of one server. */
export function attachmentsText(
  { serverId, nonce }: { readonly serverId: string; readonly nonce: string },
  attached: readonly AttachedBoard[],
): string {
  return canonicalJson({ attached, nonce, serverId });
}

/** The text that the control plane signs with the keys of the gateways that may call: they answer one poll of one server. */
export function gatewaysText(
  { serverId, nonce }: { readonly serverId: string; readonly nonce: string },
  gateways: readonly string[],
): string {
  return canonicalJson({ gateways, nonce, serverId });
}

/** The text by which a key vouches for the one that follows it. */
export function endorsedText({
  keyId,
  publicKey,
}: Pick<SigningKey, "keyId" | "publicKey">): string {
  return canonicalJson({ keyId, next: publicKey });
}

/**
 * The keys to trust from now on: those that are pinned, and of the offered ones those that a trusted key vouches for. Who
 * trusts none yet pins what is offered first; later nothing is ever replaced or taken back.
 */
export function admitKeys(pinned: SigningKey[], offered: SigningKey[]): SigningKey[] {
  if (pinned.length === 0) return offered;
  const trusted = [...pinned];
  for (let before = -1; before !== trusted.length; ) {
    before = trusted.length;
    for (const key of offered) {
      const { endorsement } = key;
      const by = trusted.find(({ keyId }) => keyId === endorsement?.keyId);
      const isKnown = trusted.some(({ keyId }) => keyId === key.keyId);
      if (
        !isKnown &&
        by &&
        endorsement &&
        isSigned(endorsedText(key), endorsement.signature, by.publicKey)
      )
        trusted.push(key);
    }
  }
  return trusted.length === pinned.length ? pinned : trusted;
}
