import { database, uuidv7 } from "@/lib/server/db";
import { makeTokenText } from "./token-text";

/** In it the portal says for whom it asks: the UUID of a person, or of a token that is nobody's. From anybody else it says nothing. */
export const portalAskerHeader = "x-bw-asker";

/** The portal's own tokens live for so long; each process of it makes a new one when half of that is over. */
const lifeS = 24 * 3600;

interface Made {
  readonly text: string;
  readonly renewAtMs: number;
}
let made: Promise<Made> | undefined;
let isRenewing = false;

/**
 * The token by which the portal asks the gateway for whoever it let in: it may ask every endpoint.
 *
 * @throws {AppError} `STORE_UNAVAILABLE` where there is none yet, and none can be made.
 */
export async function portalToken(): Promise<string> {
  const current = await (made ??= make()).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  if (performance.now() >= current.renewAtMs && !isRenewing) void renew();
  // Until then the old one is good.
  return current.text;
}

/** Asked for again with the next call where it fails. */
async function renew(): Promise<void> {
  isRenewing = true;
  const next = await make().catch(() => null);
  if (next) made = Promise.resolve(next);
  isRenewing = false;
}

async function make(): Promise<Made> {
  const { text, digest, ending } = makeTokenText("portal");
  await database().$executeRaw`
    INSERT INTO token (id, kind, name, digest, ending, scopes, expires_at)
    VALUES (${uuidv7()}::uuid, 'portal', 'portal', ${digest}, ${ending}, ARRAY['infer'],
      now() + make_interval(secs => ${lifeS}))`;
  return { text, renewAtMs: performance.now() + (lifeS / 2) * 1000 };
}
