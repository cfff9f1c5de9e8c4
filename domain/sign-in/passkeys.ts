import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { type AppError, fail } from "@/lib/common/errors";
import { database, uuidv7, withTransaction } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import type { Arrival } from "./come";

/** Whose passkeys they are: a host, and the one origin that may ask for them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const mostPasskeys = 20;

/** Whom passkeys are for at an address; null where no browser makes any: at a plain address, or one without a name. */
export function relyingParty(portalUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(portalUrl);
  const isSecure = protocol === "https:" || /(^|\.)localhost$/.test(hostname);
  const isAddress = /^(\d+\.){3}\d+$|^\[/.test(hostname);
  return isSecure && !isAddress ? { id: hostname, origin } : null;
}

/**
 * What a browser makes a passkey by.
 *
 * @param challenge 32 bytes in base64url, for this attempt alone.
 * @throws {AppError} `QUOTA_EXCEEDED`
 */
export async function newPasskeyOptions(
  userId: string,
  { id }: RelyingParty,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const { name, email, passkeys } = await database().user.findUniqueOrThrow({
    where: { id: userId },
    include: { passkeys: true },
  });
  if (passkeys.length >= mostPasskeys) throw tooMany();
  return await generateRegistrationOptions({
    rpName: "Boardwalk",
    rpID: id,
    userID: bytesOf(userId.replaceAll("-", ""), "hex"),
    userName: email ?? name,
    userDisplayName: name,
    challenge: bytesOf(challenge, "base64url"),
    excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/**
 * Keeps a passkey that a browser made for this challenge.
 *
 * @throws {AppError} `PASSKEY_UNKNOWN`; `STATE_CONFLICT` for one that is kept already; `QUOTA_EXCEEDED`
 */
export async function addPasskey(
  userId: string,
  { name, response }: { readonly name: string; readonly response: RegistrationResponseJSON },
  { party, challenge }: { readonly party: RelyingParty; readonly challenge: string },
): Promise<void> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
  }).catch((error: unknown) => {
    throw unknownPasskey(error);
  });
  if (!registrationInfo) throw unknownPasskey();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  await withTransaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM "user" WHERE id = ${userId}::uuid FOR UPDATE`;
    if ((await tx.passkey.count({ where: { userId } })) >= mostPasskeys) throw tooMany();
    const made = await tx.$executeRaw`
      INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, name)
      VALUES (${uuidv7()}::uuid, ${userId}::uuid, ${id}, ${Buffer.from(publicKey)}, ${counter},
        ${transports
          .filter((each) => /^[a-z-]{1,20}$/.test(each))
          .slice(0, 8)
          .join(",")}, ${name})
      ON CONFLICT DO NOTHING`;
    if (!made)
      throw fail("STATE_CONFLICT", "This passkey is kept already.", {
        hint: "See the list of your ways to sign in.",
      });
  });
}

/** What a browser asks for a passkey by: it shows those that it has. @param challenge As above. */
export async function passkeyOptions(
  { id }: RelyingParty,
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return await generateAuthenticationOptions({
    rpID: id,
    challenge: bytesOf(challenge, "base64url"),
    userVerification: "required",
  });
}

/**
 * Who signed this challenge. A passkey whose count of signatures does not rise is a copy, and opens nothing.
 *
 * @throws {AppError} `PASSKEY_UNKNOWN`
 */
export async function comeByPasskey(
  response: AuthenticationResponseJSON,
  { party, challenge }: { readonly party: RelyingParty; readonly challenge: string },
): Promise<Arrival> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const passkey = await database().passkey.findUnique({ where: { credentialId: response.id } });
  if (!passkey) throw unknownPasskey();
  const { id, userId, credentialId, publicKey, counter } = passkey;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: credentialId,
      publicKey: new Uint8Array(publicKey),
      counter: Number(counter),
    },
  }).catch((error: unknown) => {
    throw unknownPasskey(error);
  });
  if (!verified) throw unknownPasskey();
  // Of two that come at once with one count, one is a copy.
  const count = authenticationInfo.newCounter;
  const isNext = await database().$executeRaw`
    UPDATE passkey SET counter = ${count}, used_at = now()
    WHERE id = ${id}::uuid AND (counter < ${count} OR (counter = 0 AND ${count} = 0))`;
  if (!isNext) throw unknownPasskey();
  return { userId, projectId: null };
}

/** One answer, whichever of it is wrong. */
function unknownPasskey(error?: unknown): AppError {
  // The library's words hold challenges.
  if (error !== undefined) logger().info("a passkey was shown that does not fit");
  return fail("PASSKEY_UNKNOWN", "This passkey opens no account here.", {
    hint: "Sign in in another way, and look at the passkeys of your account.",
  });
}

const tooMany = (): AppError =>
  fail("QUOTA_EXCEEDED", `There are ${mostPasskeys} passkeys already.`, {
    hint: "Take one away that you do not use.",
  });

const bytesOf = (text: string, encoding: "hex" | "base64url"): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, encoding));
