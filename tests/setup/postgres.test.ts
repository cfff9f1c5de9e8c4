import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it } from "vitest";
import { openHome } from "@/scripts/lib/home.mjs";
import { preparePostgres } from "@/scripts/setup/postgres.mjs";
import { startStores } from "@/scripts/setup/stores.mjs";

it("starts in a data folder whose secrets were removed, though its cluster lies elsewhere", async () => {
  // Nobody else may enter: as root the cluster lies outside.
  const place = mkdtempSync(join(tmpdir(), "boardwalk-setup-"));
  const folder = join(place, "home");
  const { DATABASE_URL, ...others } = process.env;
  process.env = { ...others, REDIS_URL: "redis://127.0.0.1:1", STORAGE_DIR: folder };
  const databases: string[] = [];
  let cluster = "";
  try {
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
      cluster = (await preparePostgres(home)).cwd;
      rmSync(home.at("run"), { recursive: true });
    }
  } finally {
    process.env = { ...process.env, ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }) };
    if (cluster) rmSync(cluster, { recursive: true, force: true });
    rmSync(place, { recursive: true, force: true });
  }
  expect(databases[1]).toBe(databases[0]);
}, 120_000);
