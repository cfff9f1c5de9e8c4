import { randomBytes } from "node:crypto";
import type { prismaAdapter } from "better-auth/adapters/prisma";
import { digestOfSession } from "../sessions";

type Adapter = ReturnType<ReturnType<typeof prismaAdapter>>;

/**
 * An adapter whose sessions have 256 random bits in their cookie, of which the database gets the digest alone: who reads a copy of
 * it is signed in nowhere. Sessions are looked up and ended by our own statements.
 */
export function withHashedSessions(adapter: Adapter): Adapter {
  const create = async (asked: Parameters<Adapter["create"]>[0]) => {
    if (asked.model !== "session") return await adapter.create(asked);
    const text = randomBytes(32).toString("base64url");
    const data = { ...asked.data, token: digestOfSession(text) };
    const row: object = await adapter.create({ ...asked, data });
    return { ...row, token: text };
  };
  return { ...adapter, create: create as Adapter["create"] };
}
