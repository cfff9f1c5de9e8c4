import { createPublicKey, randomBytes, verify } from "node:crypto";
import { fail } from "@/lib/common/errors";
import { database, parseId } from "@/lib/server/db";

/** A request of a board server as it came, before its signature is checked. */
export interface SignedRequest {
  /** Id of the server that says it asks. */
  readonly serverId: string;
  readonly nonce: string;
  /** What the signature covers; it holds the nonce. */
  readonly text: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** A text that nobody can foresee, good for one request. */
export function newNonce(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Proves that a request comes from a board server and was not sent before: its signature covers the nonce that the server
 * was given last, which is used up by this.
 *
 * @returns The server's UUID and the nonce of its next request.
 * @throws {AppError} `UNAUTHENTICATED`, the same for every cause.
 */
export async function authenticate(
  request: SignedRequest,
): Promise<{ readonly serverId: string; readonly nonce: string }> {
  const id = parseId("bsv", request.serverId);
  const server = id === null ? null : await database().boardServer.findUnique({ where: { id } });
  if (!server || server.nonce !== request.nonce || !isSigned(request, server.publicKey)) {
    throw refused();
  }
  const nonce = newNonce();
  const taken = await database().$executeRaw`
    UPDATE board_server SET nonce = ${nonce}, nonce_at = now()
    WHERE id = ${server.id}::uuid AND nonce = ${request.nonce}`;
  if (taken !== 1) throw refused();
  return { serverId: server.id, nonce };
}

/**
 * The nonce a server has to sign next, for one whose answer was lost on the way. It is no secret, and asking for it
 * changes nothing. Null for a server that does not exist.
 */
export async function currentNonce(serverId: string): Promise<string | null> {
  const id = parseId("bsv", serverId);
  if (id === null) return null;
  const server = await database().boardServer.findUnique({
    where: { id },
    select: { nonce: true },
  });
  return server?.nonce ?? null;
}

function isSigned({ text, signature }: SignedRequest, publicKey: string): boolean {
  try {
    const x = Buffer.from(publicKey, "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

function refused() {
  return fail("UNAUTHENTICATED", "This board server's request cannot be accepted.", {
    hint: "Sign the nonce of the answer's header; if that fails too, enrol the server again.",
  });
}
