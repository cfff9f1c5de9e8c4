import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildStates, endpointStateSchema, slotStateSchema } from "@/lib/common/contract";
import { checkSchemaVersion, migrate, schemaVersions } from "@/lib/server/db";
import { startPostgres, type TestPostgres } from "../support/postgres";

const folder = path.resolve("prisma/migrations");
const types: Readonly<Record<string, string>> = {
  String: "text",
  Int: "integer",
  BigInt: "bigint",
  Boolean: "boolean",
  Json: "jsonb",
  DateTime: "timestamp with time zone",
  Bytes: "bytea",
};

/** Tables and columns as prisma/models says them: `table.column type [null]`. */
function declared(): string[] {
  const text = readdirSync("prisma/models")
    .map((file) => readFileSync(path.join("prisma/models", file), "utf8"))
    .join("\n");
  const models = [...text.matchAll(/^model \w+ \{(.*?)^\}/gms)].map(([, body]) => body ?? "");
  return models.flatMap((body) => {
    const table = body.match(/@@map\("(\w+)"\)/)?.[1];
    return body.split("\n").flatMap((line) => {
      const field = line.match(
        /^ {2}(\w+)\s+(String|Int|BigInt|Boolean|Json|DateTime|Bytes)(\[\]|\??)/,
      );
      if (!field) return [];
      const column = line.match(/@map\("(\w+)"\)/)?.[1] ?? field[1];
      const type = line.includes("@db.Uuid") ? "uuid" : types[field[2] ?? ""];
      if (field[3] === "[]") return [`${table}.${column} ARRAY`];
      return [`${table}.${column} ${type}${field[3] ? " null" : ""}`];
    });
  });
}

describe("the migrations", () => {
  let postgres: TestPostgres;
  let client: pg.Client;
  let databaseUrl: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    databaseUrl = await postgres.newDatabase();
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await postgres.stop();
  });

  it("make exactly the tables and columns of prisma/models", async () => {
    const { rows } = await client.query<{ text: string }>(
      `SELECT table_name || '.' || column_name || ' ' || data_type
         || CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END AS text
       FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
    );
    const columns = declared();
    expect(columns.length).toBeGreaterThan(100);
    expect(rows.map(({ text }) => text).sort()).toEqual([...columns].sort());
  });

  it.each([
    ["build_state_known", [...buildStates]],
    ["slot_state_known", slotStateSchema.options],
    ["endpoint_state_known", endpointStateSchema.options],
  ])("%s allows the words of the contract", async (name, words) => {
    const { rows } = await client.query<{ text: string }>(
      "SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1",
      [name],
    );
    const allowed = [...(rows[0]?.text ?? "").matchAll(/'(\w+)'::/g)].map(([, word]) => word);
    expect(allowed.sort()).toEqual([...words].sort());
  });

  it("are applied once, however many processes start together", async () => {
    const url = new URL(databaseUrl);
    await client.query("CREATE DATABASE migrated_together");
    url.pathname = "/migrated_together";
    const results = await Promise.all(
      Array.from({ length: 5 }, () => migrate({ databaseUrl: url.href, folder })),
    );
    expect(results.flatMap(({ applied }) => applied)).toHaveLength(readdirSync(folder).length - 1);
    expect(new Set(results.map(({ version }) => version))).toEqual(
      new Set([schemaVersions.newest]),
    );
  });

  it("refuse a database whose migration was changed afterwards", async () => {
    await client.query("CREATE DATABASE tampered");
    const url = new URL(databaseUrl);
    url.pathname = "/tampered";
    await migrate({ databaseUrl: url.href, folder });
    const other = new pg.Client({ connectionString: url.href });
    await other.connect();
    await other.query(`UPDATE "_prisma_migrations" SET checksum = 'other'`);
    await other.end();
    await expect(migrate({ databaseUrl: url.href, folder })).rejects.toThrow(/was changed after/);
  });

  it("are asked for by name of version, and an empty database is refused", async () => {
    await expect(checkSchemaVersion(databaseUrl)).resolves.toBeUndefined();
    await client.query("CREATE DATABASE never_migrated");
    const url = new URL(databaseUrl);
    url.pathname = "/never_migrated";
    await expect(checkSchemaVersion(url.href)).rejects.toThrow(/schema version 0/);
  });

  it("leave an old process out of a schema that is newer than its sources", async () => {
    await client.query("CREATE DATABASE upgraded");
    const url = new URL(databaseUrl);
    url.pathname = "/upgraded";
    await migrate({ databaseUrl: url.href, folder });
    const newer = `${String(schemaVersions.newest + 1).padStart(4, "0")}_from_the_future`;
    const other = new pg.Client({ connectionString: url.href });
    await other.connect();
    await other.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ('newer', 'other', $1, now(), 1)`,
      [newer],
    );
    await expect(checkSchemaVersion(url.href)).rejects.toThrow(
      `schema version ${schemaVersions.newest + 1}`,
    );
    // Nor does it apply what is missing of its own.
    const last = `${String(schemaVersions.newest).padStart(4, "0")}_%`;
    await other.query(`DELETE FROM "_prisma_migrations" WHERE migration_name LIKE $1`, [last]);
    const before = await other.query('SELECT * FROM "_prisma_migrations" ORDER BY id');
    await expect(migrate({ databaseUrl: url.href, folder })).rejects.toThrow(
      `The database has migration ${newer}, which this version does not know.`,
    );
    const after = await other.query('SELECT * FROM "_prisma_migrations" ORDER BY id');
    expect(after.rows).toEqual(before.rows);
    await other.end();
  });
});
