import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it } from "vitest";
import { openHome } from "@/scripts/lib/home.mjs";
import { removeCluster } from "@/scripts/setup/postgres.mjs";
import { startStores } from "@/scripts/setup/stores.mjs";

/** Stores of which only Postgres is ours, in a folder of their own. */
async function withPostgres(use: (folder: string) => Promise<void>): Promise<void> {
  // Nobody else may enter: as root the cluster lies outside.
  const place = mkdtempSync(join(tmpdir(), "boardwalk-setup-"));
  const folder = join(place, "home");
  const { DATABASE_URL, ...others } = process.env;
  process.env = { ...others, REDIS_URL: "redis://127.0.0.1:1", STORAGE_DIR: folder };
  try {
    await use(folder);
  } finally {
    process.env = { ...process.env, ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }) };
    removeCluster(folder);
    rmSync(place, { recursive: true, force: true });
  }
}

it("is up once it has recovered from a crash, not once it listens", async () => {
  await withPostgres(async (folder) => {
    const stores = await startStores(openHome(folder));
    try {
      const connectionString = stores.variables.DATABASE_URL;
      const writer = new Client({ connectionString });
      writer.on("error", () => {});
      await writer.connect();
      await writer.query(
        "CREATE TABLE rows AS SELECT n, repeat('x', 200) AS text FROM generate_series(1, 800000) n",
      );
      await stores.restart("postgres");
      const reader = new Client({ connectionString });
      await reader.connect();
      const { rows } = await reader.query("SELECT count(*)::int AS count FROM rows");
      await reader.end();
      expect(rows).toEqual([{ count: 800_000 }]);
    } finally {
      await stores.stop();
    }
  });
}, 120_000);

it("starts in a data folder whose secrets were removed, though its cluster lies elsewhere", async () => {
  const databases: string[] = [];
  await withPostgres(async (folder) => {
    for (let run = 0; run < 2; run++) {
      const home = openHome(folder);
      const stores = await startStores(home);
      try {
        const client = new Client({ connectionString: stores.variables.DATABASE_URL });
        await client.connect();
        const { rows } = await client.query("SELECT datname FROM pg_database");
        databases.push(rows.map(({ datname }) => datname).join(" "));
        if (run === 0) await client.query("CREATE DATABASE former");
        await client.end();
      } finally {
        await stores.stop();
      }
      rmSync(home.at("run"), { recursive: true });
    }
  });
  expect(databases[1]).toBe(databases[0]);
}, 120_000);
