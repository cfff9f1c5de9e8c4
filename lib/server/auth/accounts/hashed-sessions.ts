import { randomBytes } from "node:crypto";
import type { prismaAdapter } from "better-auth/adapters/prisma";
import { database } from "@/lib/server/db";
import { digestOfSession, sessionLife } from "../sessions";

type Adapter = ReturnType<ReturnType<typeof prismaAdapter>>;

/**
 * An adapter whose sessions have 256 random bits in their cookie, of which the database gets the digest alone: who reads a copy of
 * it is signed in nowhere. Sessions are looked up and ended by our own statements, and have the database's time: better-auth would
 * give them that of the process, whose host's clock may jump.
 */
export function withHashedSessions(adapter: Adapter): Adapter {
  const create = async (asked: Parameters<Adapter["create"]>[0]) => {
    if (asked.model !== "session") return await adapter.create(asked);
    const text = randomBytes(32).toString("base64url");
    const data = { ...asked.data, ...(await timesByDatabase()), token: digestOfSession(text) };
    const row: object = await adapter.create({ ...asked, data });
    return { ...row, token: text };
  };
  return { ...adapter, create: create as Adapter["create"] };
}

async function timesByDatabase(): Promise<{ createdAt: Date; updatedAt: Date; expiresAt: Date }> {
  const [row] = await database().$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  if (!row) throw new TypeError("the database told no time");
  const expiresAt = new Date(row.now.getTime() + sessionLife.idleS * 1000);
  return { createdAt: row.now, updatedAt: row.now, expiresAt };
}
