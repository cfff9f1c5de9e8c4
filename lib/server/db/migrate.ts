import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { lockSpace, locks } from "./leadership";
import { schemaVersions } from "./schema-version";

/** What one run of the migrations did. */
export interface MigrateResult {
  /** Names of the migrations that were applied by this call. */
  readonly applied: readonly string[];
  /** The newest migration that the database now has. */
  readonly version: number;
}

/** The ledger of `prisma migrate`, column for column, so that it can take over. */
const ledger = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Brings a database to the newest schema: each folder of `folder` in order of name, each in one transaction, all under an
 * advisory lock, so that any number of processes may call it at once.
 *
 * @param options.upTo Number of the migration to stop at; default: the newest.
 * @throws {Error} In one sentence, if a migration fails, was changed after it was applied, or is unknown to these sources.
 */
export async function migrate(options: {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly upTo?: number;
}): Promise<MigrateResult> {
  const client = new pg.Client({ connectionString: options.databaseUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1, $2)", [lockSpace, locks.migrations]);
    await client.query(ledger);
    const done = new Map(
      (await appliedMigrations(client)).map(({ name, checksum }) => [name, checksum]),
    );
    const all = await readMigrations(options.folder);
    refuseUnknown(done, all);
    const { upTo = Number.POSITIVE_INFINITY } = options;
    const known = all.filter(({ name }) => versionOf(name) <= upTo);

    const applied: string[] = [];
    for (const migration of known) {
      const before = done.get(migration.name);
      if (before === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (before !== migration.checksum) {
        throw new Error(`Migration ${migration.name} was changed after it was applied.`);
      }
    }
    return { applied, version: versionOf(known.at(-1)?.name ?? "0") };
  } finally {
    await client.end();
  }
}

/**
 * Refuses to work with a schema of another version than these sources know.
 *
 * @throws {Error} In one sentence that names both.
 */
export async function checkSchemaVersion(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string | null }>(
      `SELECT to_regclass('"_prisma_migrations"')::text AS table`,
    );
    const done = rows[0]?.table ? await appliedMigrations(client) : [];
    const version = Math.max(0, ...done.map(({ name }) => versionOf(name)));
    const { oldest, newest } = schemaVersions;
    if (version < oldest || version > newest) {
      throw new Error(
        `The database has schema version ${version}; this process works with ${oldest} to ${newest}.`,
      );
    }
  } finally {
    await client.end();
  }
}

/** A step of the schema, and the SHA-256 of its SQL, in hex. */
export interface Migration {
  readonly name: string;
  readonly checksum: string;
}

interface KnownMigration extends Migration {
  readonly sql: string;
}

/** The migrations of a folder, in order. */
export async function readMigrations(folder: string): Promise<readonly KnownMigration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** The migrations that a database has, in order. */
export async function appliedMigrations(client: pg.Client): Promise<readonly Migration[]> {
  const { rows } = await client.query<Migration>(
    `SELECT migration_name AS name, checksum FROM "_prisma_migrations"
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

function refuseUnknown(done: ReadonlyMap<string, string>, known: readonly Migration[]): void {
  const names = new Set(known.map(({ name }) => name));
  for (const name of done.keys()) {
    if (!names.has(name)) {
      throw new Error(`The database has migration ${name}, which this version does not know.`);
    }
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: KnownMigration): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** `0001_initial` is version 1. */
export function versionOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}
