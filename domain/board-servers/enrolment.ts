import { createHash, randomBytes } from "node:crypto";
import { recordBoardEvents } from "@/domain/events";
import type { EnrolRequest, EnrolResponse } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, toId, uuidv7, withTransaction } from "@/lib/server/db";
import { offerBoards } from "./boards";
import { newNonce } from "./nonces";
import { listSigningKeys } from "./queries";

/** How long a code can be used. The database's clock decides. */
const validMinutes = 15;

/** Makes a code with which one board server can enrol, once. Only its hash is stored. */
export async function createEnrolment(): Promise<{ code: string; expiresAt: string }> {
  const code = `bw_enrol_${randomBytes(24).toString("base64url")}`;
  const [row] = await database().$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO enrolment (code_sha256, expires_at)
    VALUES (${hashOf(code)}, now() + make_interval(mins => ${validMinutes}))
    RETURNING expires_at AS "expiresAt"`;
  return { code, expiresAt: (row?.expiresAt ?? new Date(0)).toISOString() };
}

/** What a board server hears, and whether it took the place of one of its name with another key. */
export interface Enrolled {
  readonly answer: Omit<EnrolResponse, "controlKeys">;
  readonly isOtherKey: boolean;
}

/**
 * Makes a board server known. A server of the same name is replaced: the newer registration wins, and the older one's key
 * opens nothing any more. The server that used a code may use it again while it is valid: it was killed before it could
 * remember who it is, or never heard the answer.
 *
 * @throws {AppError} `ENROLMENT_INVALID` for a code that is unknown, used or too old.
 */
export async function enrol(request: EnrolRequest): Promise<Enrolled> {
  const { code, name, publicKey, address, boards, simulatedCapacity } = request;
  if (Buffer.from(publicKey, "base64").length !== 32) {
    throw fail("ENROLMENT_INVALID", "The public key is not an Ed25519 key.");
  }
  const nonce = newNonce();
  const { id, isOtherKey } = await withTransaction(async (tx) => {
    const used = await tx.$executeRaw`
      UPDATE enrolment SET used_at = now(), used_by_key = ${publicKey}
      WHERE code_sha256 = ${hashOf(code)} AND expires_at > now()
        AND (used_at IS NULL OR used_by_key = ${publicKey})`;
    if (used !== 1) {
      throw fail("ENROLMENT_INVALID", "This enrolment code is unknown, used or too old.", {
        hint: "Make a new code; each is good for one board server and 15 minutes.",
      });
    }
    const before = await tx.boardServer.findUnique({
      where: { name },
      select: { publicKey: true },
    });
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO board_server (id, name, public_key, address, nonce, nonce_at, simulated_capacity)
      VALUES (${uuidv7()}::uuid, ${name}, ${publicKey}, ${JSON.stringify(address)}::jsonb, ${nonce}, now(),
        ${simulatedCapacity})
      ON CONFLICT (name) DO UPDATE SET public_key = EXCLUDED.public_key, address = EXCLUDED.address,
        nonce = EXCLUDED.nonce, nonce_at = now(), simulated_capacity = EXCLUDED.simulated_capacity,
        term = board_server.term + 1
      RETURNING id`;
    if (!row) throw new Error("the board server was not written");
    await recordBoardEvents(tx, await offerBoards(tx, row.id, boards));
    return { id: row.id, isOtherKey: before !== null && before.publicKey !== publicKey };
  });
  const answer = { serverId: toId("bsv", id), nonce, signingKeys: await listSigningKeys() };
  return { answer, isOtherKey };
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
