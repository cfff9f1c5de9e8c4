import pg from "pg";
import { fail } from "@/lib/common/errors";
import { appliedMigrations, copyOut, type Migration, versionOf } from "@/lib/server/db";
import { type NamedObject, namedObjects } from "./named-objects";
import type { BackupHeader } from "./types";

/** Objects that are asked for at a time. */
const page = 1000;

/** All rows as they stood at one moment, whatever others write meanwhile. */
export class Snapshot {
  private readonly client: pg.Client;
  private readonly databaseUrl: string;
  private readonly migrations: readonly Migration[];

  constructor(client: pg.Client, databaseUrl: string, migrations: readonly Migration[]) {
    this.client = client;
    this.databaseUrl = databaseUrl;
    this.migrations = migrations;
  }

  /** When it was taken, by the database's clock, with what its rows are made of. */
  async describe(): Promise<Omit<BackupHeader, "format" | "formatVersion">> {
    const { rows: tables } = await this.client.query<BackupHeader["tables"][number]>(
      // What Postgres computes from other columns, it computes again.
      `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
         AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       GROUP BY c.relname ORDER BY c.relname`,
    );
    const { rows } = await this.client.query<{ at: Date }>("SELECT now() AS at");
    return {
      createdAt: rows[0]?.at.toISOString() ?? "",
      schemaVersion: versionOf(this.migrations.at(-1)?.name ?? ""),
      migrations: this.migrations.map(({ name, checksum }) => ({ name, checksum })),
      tables,
    };
  }

  /** The rows of a table, in the text form of COPY. */
  copyOut({ name, columns }: BackupHeader["tables"][number]): ReturnType<typeof copyOut> {
    const list = columns.map((column) => `"${column}"`).join(", ");
    return copyOut(this.client, `COPY "${name}" (${list}) TO STDOUT`);
  }

  /** What the sequences gave last: at least what the rows of the snapshot hold. */
  async readSequences(): Promise<Record<string, string>> {
    const { rows } = await this.client.query<{ name: string; last: string }>(
      `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
    );
    return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
  }

  /** Every object that the rows name, in order. */
  async *listObjects(): AsyncGenerator<NamedObject> {
    await this.client.query(`DECLARE named NO SCROLL CURSOR FOR ${namedObjects}`);
    for (;;) {
      const { rows } = await this.client.query<NamedObject>(`FETCH ${page} FROM named`);
      yield* rows;
      if (rows.length < page) break;
    }
    await this.client.query("CLOSE named");
  }

  /** Whether rows name an object now, and not only at the moment of the snapshot. */
  async isStillNamed({ bucket, key }: NamedObject): Promise<boolean> {
    const now = await connect(this.databaseUrl);
    try {
      const { rowCount } = await now.query(
        `SELECT 1 FROM (${namedObjects}) named WHERE bucket = $1 AND key = $2`,
        [bucket, key],
      );
      return rowCount !== 0;
    } finally {
      await now.end();
    }
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}

/**
 * Holds the rows of a database as they are now.
 *
 * @throws {AppError} `STATE_CONFLICT` when the database has no tables of ours.
 */
export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  const client = await connect(databaseUrl);
  try {
    // Forms that no setting of the server changes.
    await client.query(
      "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'",
    );
    await client.query("SET extra_float_digits = 1; SET bytea_output = 'hex'");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return new Snapshot(client, databaseUrl, await appliedMigrations(client));
  } catch (error) {
    await client.end();
    throw isWithoutTables(error) ? unstarted(error) : error;
  }
}

const isWithoutTables = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "42P01";

const unstarted = (cause: unknown) =>
  fail("STATE_CONFLICT", "There is nothing to back up: Boardwalk has not served here yet.", {
    hint: "Start it, wait until it serves, and back up again.",
    cause,
  });

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  // What is under way hears of it by itself.
  client.on("error", () => {});
  await client.connect();
  return client;
}
