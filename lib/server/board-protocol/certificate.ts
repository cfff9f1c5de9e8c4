import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";

// TLS wants certificates; between a gateway and a board server the keys alone count, which were told beforehand. So each shows a
// certificate that its own key signed, and what stands in it is read by nobody.

/** A key that is shown in TLS, with its certificate. */
export interface TlsIdentity {
  /** PEM, PKCS #8. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
  /** Base64 of the raw 32 bytes. */
  readonly publicKey: string;
}

/** Distinguished encoding of ASN.1: tag, length, content. Short content only. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = 0x30;
const set = 0x31;
const integer = 0x02;
const bitString = 0x03;
const text = 0x0c;
const utcTime = 0x17;
const time = 0x18;
/** 1.3.101.112 */
const ed25519 = der(sequence, Buffer.from("06032b6570", "hex"));
/** 2.5.4.3 */
const commonName = Buffer.from("0603550403", "hex");
const version3 = Buffer.from("a003020102", "hex");
const name = der(
  sequence,
  der(set, der(sequence, commonName, der(text, Buffer.from("Boardwalk")))),
);
/** No clocks are compared. */
const always = der(
  sequence,
  der(utcTime, Buffer.from("000101000000Z")),
  der(time, Buffer.from("99991231235959Z")),
);

/**
 * The key with a certificate that it signs itself, the same each time.
 *
 * @param key Ed25519, private.
 * @see RFC 5280 (certificates), RFC 8410 (Ed25519 in them)
 */
export function tlsIdentity(key: KeyObject): TlsIdentity {
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const serial = createHash("sha256").update(spki).digest().subarray(0, 8);
  // Positive, and in no longer spelling than it needs.
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  const body = der(sequence, version3, der(integer, serial), ed25519, name, always, name, spki);
  const signature = der(bitString, Buffer.from([0]), sign(null, body, key));
  return {
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: new X509Certificate(der(sequence, body, ed25519, signature)).toString(),
    publicKey: rawPublicKey(key),
  };
}

/** Base64 of the raw 32 bytes of an Ed25519 key, or of the public half of a private one. */
export function rawPublicKey(key: KeyObject): string {
  const { x = "" } = (key.type === "private" ? createPublicKey(key) : key).export({
    format: "jwk",
  });
  return Buffer.from(x, "base64url").toString("base64");
}

/** The key that the other side has shown that it holds; null: it showed none, or one of another kind. */
export function peerKeyOf(socket: TLSSocket): string | null {
  const key = socket.getPeerX509Certificate()?.publicKey;
  return key?.asymmetricKeyType === "ed25519" ? rawPublicKey(key) : null;
}
