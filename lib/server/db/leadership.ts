import pg from "pg";
import { databaseEnv } from "@/lib/server/env";
import { killableCalls } from "@/lib/server/process";
import { toStoreError } from "./errors";

/** First half of our advisory locks: "bwlk" in ASCII. Second halves: 1 order of events, 2 migrations, 3 reconciler. */
export const lockSpace = 0x62_77_6c_6b;
/** Numbers of the advisory locks of Postgres, one for each thing that one process does at a time. */
export const locks = { events: 1, migrations: 2, reconciler: 3 } as const;

/** The right to lead, for as long as its connection to Postgres lives. */
export interface Leadership {
  /** Grows with every leader, and tells them apart. Repairs do not ask for it: each checks its condition while it writes. */
  readonly term: number;
  /** Fires when the connection that holds the lock is gone: somebody else may lead now. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/** A leader that said nothing for so long is none: the database ends its session, and with it the lock. */
const silenceMs = 10_000;

/**
 * Tries to lead the installation's reconciling: a session advisory lock on its own connection, and a term in `singleton`.
 * The leader's event loop keeps the session alive; a process that is frozen loses it.
 *
 * @returns Null while another process leads.
 * @throws {AppError} `STORE_UNAVAILABLE` when the database is away.
 */
export async function tryLead({ loseAfterMs = silenceMs } = {}): Promise<Leadership | null> {
  const lost = new AbortController();
  const client = killableCalls(
    new pg.Client({
      connectionString: databaseEnv().DATABASE_URL,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
      application_name: "boardwalk-leader",
    }),
    { isCall: (method) => method === "connect" || method === "query" },
  );
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  let beat: NodeJS.Timeout | undefined;
  const close = () => {
    clearInterval(beat);
    return client.end().catch(() => {});
  };
  try {
    await client.connect();
    // Postgres 13 has no such limit: there the connection itself must go.
    await client.query(
      `SELECT set_config('idle_session_timeout', $1, false)
       WHERE current_setting('idle_session_timeout', true) IS NOT NULL`,
      [String(loseAfterMs)],
    );
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_lock($1, $2) AS held",
      [lockSpace, locks.reconciler],
    );
    if (!rows[0]?.held) {
      await close();
      return null;
    }
    const { rows: terms } = await client.query<{ term: number }>(
      `INSERT INTO singleton (key, term) VALUES ('reconciler', 1)
       ON CONFLICT (key) DO UPDATE SET term = singleton.term + 1, updated_at = now() RETURNING term`,
    );
    const say = () => client.query("SELECT 1").catch(() => lost.abort());
    beat = setInterval(say, loseAfterMs / 5).unref();
    return { term: terms[0]?.term ?? 0, lost: lost.signal, close };
  } catch (error) {
    await close();
    throw toStoreError(error);
  }
}
