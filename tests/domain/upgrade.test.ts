import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import {
  appendLog,
  claimBuild,
  failBuild,
  getBuild,
  listBuilds,
  readLog,
  setRunning,
  succeedBuild,
} from "@/domain/builds";
import { listEndpoints } from "@/domain/endpoints";
import { openWebhookSecret, sealPlainSecrets } from "@/domain/notifications";
import { takeOutbox } from "@/domain/outbox";
import { expireLeases } from "@/domain/reconcile";
import { createRouteReader } from "@/domain/routes";
import {
  closeDatabase,
  copyIn,
  copyOut,
  database,
  migrate,
  parseId,
  schemaVersions,
  toId,
  uuidv7,
} from "@/lib/server/db";
import { ensureSealingKeys } from "@/lib/server/sealing";
import { createBuildProcessor } from "@/workers/builds/processor";
import { inspectProcessor } from "@/workers/inspect";
import { claimed } from "../support/claimed";
import { deploy } from "../support/deploy";
import { addBoardServer, artifactOf, iris, openDatabase, scope } from "../support/domain";

// What an upgrade meets: the rows that the version before left, in its schema, and its jobs on the queue.

openDatabase();

const migrations = "prisma/migrations";
/** Payloads as every version so far has put them on the queue. */
const oldJobs = {
  build: (id: string) => ({ buildId: id }),
  inspect: (id: string) => ({ inspectionId: id }),
};
/** As versions kept it that sealed none. */
const plainSecret = "whsec_of-the-version-before";
const ids = { waiting: "", running: "", succeeded: "", failed: "" };
let before: Record<string, string[]>;
let after: Record<string, string[]>;

/** Rows of the newest schema, of everything that is under way when somebody upgrades. */
async function fill(): Promise<void> {
  await addBoardServer({ cpuSlots: 2 });
  const { buildId } = await deploy(scope, iris("waiting"));
  ids.waiting = parseId("bld", buildId) ?? "";
  const running = await claimed("running", "old worker");
  await setRunning(running.id, running.epoch);
  await appendLog(running.id, running.epoch, [
    {
      n: 1,
      time: "2026-01-01T00:00:00.000Z",
      stage: "synthesise",
      stream: "stdout",
      level: "info",
      text: "under way",
    },
  ]);
  ids.running = running.id;
  const succeeded = await claimed("succeeded", "old worker");
  await succeedBuild(succeeded.id, succeeded.epoch, { artifact: artifactOf("upgrade") });
  ids.succeeded = succeeded.id;
  const failed = await claimed("failed", "old worker");
  const problem = { code: "internal", reason: "TOOL_FAILED", message: "it broke" } as const;
  await failBuild(failed.id, failed.epoch, problem, "failed");
  ids.failed = failed.id;
  await database().$executeRaw`
    INSERT INTO webhook (id, project_id, url, events, secret)
    VALUES (${uuidv7()}::uuid, ${scope}::uuid, 'https://hooks.example.com/', '["build.failed"]', ${plainSecret})`;
  await database().$executeRaw`
    INSERT INTO inspection (id, project_id, url) VALUES (${uuidv7()}::uuid, ${scope}::uuid, 's3://boardwalk-samples/x.onnx')`;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** A database of the version before, with all rows that it could have of these. */
async function ofTheVersionBefore(newest: pg.Client): Promise<string> {
  const url = new URL(process.env["DATABASE_URL"] ?? "");
  const name = `bw_older_${process.pid}_${uuidv7().replaceAll("-", "")}`;
  await newest.query(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  await migrate({
    databaseUrl: url.href,
    folder: migrations,
    upTo: schemaVersions.newest - 1,
  });
  const older = await connect(url.href);
  try {
    await older.query("SET session_replication_role = replica");
    const known = await columnsOf(newest);
    for (const [table, columns] of await columnsOf(older)) {
      const shared = columns.filter((column) => known.get(table)?.includes(column));
      if (shared.length === 0) continue;
      const list = shared.map((column) => `"${column}"`).join(", ");
      await older.query(`DELETE FROM "${table}"`);
      const { pieces } = copyOut(newest, `COPY "${table}" (${list}) TO STDOUT`);
      await copyIn(older, `COPY "${table}" (${list}) FROM STDIN`, pieces);
    }
    for (const { name: sequence, last } of (
      await newest.query<{ name: string; last: string }>(
        "SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE last_value IS NOT NULL",
      )
    ).rows)
      await older.query("SELECT setval(to_regclass($1), $2) WHERE to_regclass($1) IS NOT NULL", [
        sequence,
        last,
      ]);
    return url.href;
  } finally {
    await older.end();
  }
}

/** Columns that hold data of their own, by table. */
async function columnsOf(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' AND is_generated = 'NEVER' GROUP BY 1`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Every row of the given columns. */
async function rowsOf(client: pg.Client, columns: ReadonlyMap<string, readonly string[]>) {
  const all: Record<string, string[]> = {};
  for (const [table, names] of columns) {
    const list = names.map((name) => `"${name}"`).join(", ");
    const { rows } = await client.query<{ row: string }>(
      `SELECT (SELECT row_to_json(r)::text FROM (SELECT ${list}) r) AS row FROM "${table}"`,
    );
    all[table] = rows.map(({ row }) => row).sort();
  }
  return all;
}

beforeAll(async () => {
  await fill();
  const newest = await connect(process.env["DATABASE_URL"] ?? "");
  const url = await ofTheVersionBefore(newest).finally(() => newest.end());
  const client = await connect(url);
  try {
    const columns = await columnsOf(client);
    before = await rowsOf(client, columns);
    const { applied } = await migrate({ databaseUrl: url, folder: migrations });
    expect(applied).toHaveLength(1);
    after = await rowsOf(client, columns);
  } finally {
    await client.end();
  }
  await closeDatabase();
  process.env["DATABASE_URL"] = url;
});

describe("a database of the version before, after its migration", () => {
  it("holds every row that it held", () => {
    const tables = [
      "build",
      "transition",
      "endpoint",
      "revision",
      "outbox",
      "artifact",
      "log_chunk",
    ];
    for (const table of tables) expect(before[table]?.length, table).toBeGreaterThan(0);
    expect(after).toEqual(before);
  });

  it("is read as before: builds, logs, endpoints and routes", async () => {
    const states = (await listBuilds(scope, { limit: 50 })).items.map(({ id, state }) => [
      id,
      state,
    ]);
    expect(states.toSorted()).toEqual(
      [
        [toId("bld", ids.waiting), "queued"],
        [toId("bld", ids.running), "running"],
        [toId("bld", ids.succeeded), "succeeded"],
        [toId("bld", ids.failed), "failed"],
      ].toSorted(),
    );
    expect(await getBuild(scope, toId("bld", ids.succeeded))).toMatchObject({
      artifactDigest: artifactOf("upgrade").digest,
    });
    const { lines } = await readLog(scope, toId("bld", ids.running), { from: 1, limit: 10 });
    expect(lines.map(({ text }) => text)).toEqual(["under way"]);
    expect((await listEndpoints(scope, { limit: 50 })).items.map(({ name }) => name)).toContain(
      "waiting",
    );
    await expect(createRouteReader()()).resolves.toBeDefined();
  });

  it("has its jobs published, and understood whoever wrote them", async () => {
    const jobs = await takeOutbox(100);
    expect(jobs.length).toBeGreaterThan(0);
    const ctx = {
      log: pino({ level: "silent" }),
      signal: AbortSignal.timeout(60_000),
      workerId: "new",
    };
    // Nothing waits any more: the job is understood, and there is nothing to do for it.
    const attempt = await claimBuild(ids.waiting, "new worker", { leaseS: 60, deadlineS: 600 });
    expect(attempt).toMatchObject({ epoch: 1 });
    process.env["REDIS_URL"] ??= "redis://127.0.0.1:1";
    const build = createBuildProcessor({ leaseS: 60, deadlineS: 600 } as never, {} as never);
    for (const { queue, payload } of jobs) if (queue === "build") await build.handle(payload, ctx);
    await build.handle(oldJobs.build(ids.waiting), ctx);
    await build.handle({ ...oldJobs.build(ids.waiting), added: "by a later version" }, ctx);
    await inspectProcessor.handle(oldJobs.inspect(uuidv7()), ctx);
    await expect(build.handle({ something: "else" }, ctx)).rejects.toThrow();
  });

  it("lets a worker of the old version end its attempt, and takes it back once that is silent", async () => {
    await database()
      .$executeRaw`UPDATE build SET lease_until = now() - interval '1 second' WHERE id = ${ids.running}::uuid`;
    await expireLeases();
    expect(await getBuild(scope, toId("bld", ids.running))).toMatchObject({ state: "queued" });
    const again = await claimBuild(ids.running, "new worker", { leaseS: 60, deadlineS: 600 });
    expect(again).toMatchObject({ epoch: 2 });
    await succeedBuild(ids.running, 2, { artifact: artifactOf("upgraded") });
    expect(await getBuild(scope, toId("bld", ids.running))).toMatchObject({ state: "succeeded" });
  });

  it("has its webhooks sign with the secrets that they had, before these are sealed and after", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bw-upgrade-"));
    const keyFile = join(folder, "connections.key");
    const hook = () => database().webhook.findFirstOrThrow();
    try {
      await ensureSealingKeys(keyFile);
      expect(await openWebhookSecret(await hook(), keyFile)).toBe(plainSecret);
      expect(await sealPlainSecrets(keyFile)).toMatchObject({ again: 1, failed: [] });
      expect((await hook()).secret).not.toContain(plainSecret);
      expect(await openWebhookSecret(await hook(), keyFile)).toBe(plainSecret);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
