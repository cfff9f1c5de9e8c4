import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackupFile, openSnapshot, restoreBackup, writeBackup } from "@/domain/backups";
import { appendLog, compactLog, failBuild, succeedBuild } from "@/domain/builds";
import { canonicalJson, type LogLine } from "@/lib/common/contract";
import { database, migrate, readMigrations, uuidv7 } from "@/lib/server/db";
import { digestOf, hexOf } from "@/lib/server/digest";
import { buckets, FileStore, type ObjectStore, S3Store, uploadsBucket } from "@/lib/server/storage";
import { claimed } from "../support/claimed";
import { deploy } from "../support/deploy";
import { artifactOf, iris, openDatabase, scope } from "../support/domain";
import { flip, LyingStore } from "../support/lying-store";
import { untar } from "../support/tar-file";
import { startS3, type TestS3 } from "../support/versitygw";

openDatabase();

const folder = mkdtempSync(join(tmpdir(), "bw-backups-"));
const migrations = "prisma/migrations";
const file = join(folder, "whole.tar");
const model = Buffer.from("the bytes of a model");
const uploaded = { bucket: uploadsBucket(scope), key: hexOf(digestOf(model)) };
const nasty = "tab\t new\nline back\\slash \\. \\N ü 🦆 'quotes' \u0001";
const files: BackupFile[] = [
  { name: "keys/signing.pem", bytes: Buffer.from("a key") },
  { name: "run/moved-settings.json", bytes: Buffer.from("{}") },
];
let s3: TestS3;
let store: ObjectStore;

const lineOf = (n: number, text: string): LogLine => ({
  n,
  time: "2026-01-01T00:00:00.000Z",
  stage: "synthesise",
  stream: "stdout",
  level: "info",
  text,
});

beforeAll(async () => {
  s3 = await startS3();
  store = new S3Store(s3.options);
  for (const bucket of [...Object.values(buckets), uploaded.bucket])
    await store.ensureBucket(bucket);
  // An endpoint whose build waits, a build that made an artifact, one that failed with a log that was moved, one that runs.
  await deploy(scope, iris("waits"));
  const made = await claimed("made");
  await succeedBuild(made.id, made.epoch, { artifact: artifactOf("one") });
  const bytes = Buffer.from(canonicalJson({ file: "one" }));
  const at = { bucket: buckets.artifacts, key: hexOf(digestOf(bytes)) };
  await store.put(at.bucket, at.key, bytes, { sizeBytes: bytes.length });
  const failed = await claimed("failed");
  await appendLog(failed.id, failed.epoch, [lineOf(1, nasty.replace("\u0001", ""))]);
  const problem = { code: "internal", reason: "TOOL_FAILED", message: nasty } as const;
  await failBuild(failed.id, failed.epoch, problem, "failed");
  expect(await compactLog(failed.id, failed.epoch, store)).toBe(true);
  const running = await claimed("running");
  for (let n = 1; n <= 3000; n += 300) {
    const lines = Array.from({ length: 300 }, (_, at) => lineOf(n + at, "x".repeat(3000)));
    await appendLog(running.id, running.epoch, lines);
  }
  const sample = readFileSync("public/samples/iris-mlp/model.onnx");
  await store.put(buckets.samples, "iris-mlp/model.onnx", sample, { sizeBytes: sample.length });
  await store.put(uploaded.bucket, uploaded.key, model, { sizeBytes: model.length });
  await database().$executeRaw`
    INSERT INTO model (id, project_id, name, url, source, digest, inspection)
    VALUES (${uuidv7()}::uuid, ${scope}::uuid, 'mine', ${`s3://${uploaded.bucket}/${uploaded.key}`}, 'mine', ${digestOf(model)}, ${`{"format": "onnx"}`}::jsonb)`;
});

afterAll(async () => {
  await s3?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const source = () => process.env["DATABASE_URL"] ?? "";

async function backUp(to: string, from: ObjectStore = store, during = async () => {}) {
  const snapshot = await openSnapshot(source());
  try {
    await during();
    return await writeBackup(to, { snapshot, store: from, files });
  } finally {
    await snapshot.close();
  }
}

/** A database without a table, beside the source. */
async function emptyDatabase(): Promise<string> {
  const url = new URL(source());
  const name = `bw_restored_${process.pid}_${uuidv7().replaceAll("-", "")}`;
  await ask(source(), `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function restore(from: string, databaseUrl: string, into = mkdtempSync(join(folder, "o-"))) {
  const kept: BackupFile[] = [];
  const target = new FileStore(into);
  const { manifest } = await restoreBackup(from, {
    databaseUrl,
    migrations,
    store: target,
    keepFile: async (each) => void kept.push(each),
  });
  return { manifest, kept, target };
}

/** All rows of all tables, and what the sequences gave last. */
async function rowsOf(url: string): Promise<Record<string, unknown>> {
  const tables = await ask<{ name: string }>(
    url,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations' ORDER BY 1",
  );
  const all: Record<string, unknown> = {
    sequences: await ask(url, "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1"),
  };
  for (const { name } of tables)
    all[name] = (await ask<{ row: string }>(url, `SELECT t::text AS row FROM "${name}" t`))
      .map(({ row }) => row)
      .sort();
  return all;
}

async function objectsOf(from: ObjectStore): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const bucket of [...Object.values(buckets), uploaded.bucket])
    for await (const { key } of from.list(bucket))
      all[`${bucket}/${key}`] = (await buffer((await from.get(bucket, key)).stream)).toString();
  return all;
}

/** How many tables a database has. */
const tablesOf = async (url: string) =>
  (
    await ask(
      url,
      "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    )
  ).length;

describe("a backup", () => {
  it("brings every row, object and file into an empty installation, from one kind of store to another", async () => {
    const before = await rowsOf(source());
    const made = await backUp(file);
    expect(statSync(file)).toMatchObject({ size: made.sizeBytes });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(made).toMatchObject({ objects: 4, flawed: [] });

    const databaseUrl = await emptyDatabase();
    const { manifest, kept, target } = await restore(file, databaseUrl);
    expect(await rowsOf(databaseUrl)).toEqual(before);
    expect(Object.keys(before["build"] as object)).toHaveLength(4);
    expect(await objectsOf(target)).toEqual(await objectsOf(store));
    expect(kept.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ["keys/signing.pem", "a key"],
      ["run/moved-settings.json", "{}"],
    ]);
    // Rows of a table larger than a piece.
    expect(
      manifest.members.filter(({ name }) => name.startsWith("rows/log_chunk/")).length,
    ).toBeGreaterThan(1);
    // The tables go on working: triggers, sequences and rules are those of a new installation.
    await expect(ask(databaseUrl, "UPDATE transition SET actor = 'x'")).rejects.toThrow(/history/);
    await ask(databaseUrl, "INSERT INTO outbox (queue, payload, job_id) VALUES ('x', '{}', 'x')");
    expect((await migrate({ databaseUrl, folder: migrations })).applied).toEqual([]);
  });

  it("is of one moment, whatever is written meanwhile", async () => {
    const before = await rowsOf(source());
    const later = join(folder, "later.tar");
    await backUp(later, store, async () => {
      await deploy(scope, iris("meanwhile"));
    });
    const databaseUrl = await emptyDatabase();
    await restore(later, databaseUrl);
    const { sequences: _1, ...restored } = await rowsOf(databaseUrl);
    const { sequences: _2, ...wanted } = before;
    expect(restored).toEqual(wanted);
    await database()
      .$executeRaw`UPDATE endpoint SET delete_requested_at = now() WHERE name = 'meanwhile'`;
  });

  it("is written over no file", async () => {
    await expect(backUp(file)).rejects.toMatchObject({ reason: "BACKUP_TARGET_TAKEN" });
    await expect(backUp(join(folder, "none", "b.tar"))).rejects.toMatchObject({
      reason: "PATH_INVALID",
    });
  });

  it("names what the store lost or changed, and holds the rest", async () => {
    const lying = new LyingStore(store);
    lying.onGet = (bucket) => (bucket === buckets.artifacts ? flip : null);
    const flawed = join(folder, "flawed.tar");
    const key = artifactOf("one").manifest.files[0]?.digest.slice(7);
    expect((await backUp(flawed, lying)).flawed).toEqual([
      { bucket: "artifacts", key, fault: "damaged" },
    ]);
    const { manifest } = await restore(flawed, await emptyDatabase());
    expect(manifest.flawed).toHaveLength(1);

    const empty = new FileStore(mkdtempSync(join(folder, "e-")));
    const lost = await backUp(join(folder, "lost.tar"), empty);
    expect(lost).toMatchObject({ objects: 0 });
    expect(lost.flawed.map(({ fault }) => fault)).toEqual(Array(4).fill("missing"));
  });

  it("leaves no file behind when the store breaks off", async () => {
    const away = new LyingStore(store);
    away.get = async (bucket, key) => {
      const { stream } = await store.get(bucket, key);
      return { stream, sizeBytes: 1 << 20 };
    };
    await expect(backUp(join(folder, "cut.tar"), away)).rejects.toMatchObject({
      reason: "STORE_UNAVAILABLE",
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("cut.tar"))).toEqual([]);
  });
});

describe("the restoration", () => {
  const altered = (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  /** Where in the file a member's bytes begin. */
  const placeOf = (whole: Buffer, member: string) => whole.indexOf(member) + 512;

  it.each<[string, (whole: Buffer) => Uint8Array]>([
    ["empty", () => Buffer.alloc(0)],
    ["another kind of file", () => Buffer.from("PK\u0003\u0004".repeat(500))],
    ["cut off in the rows", (whole) => whole.subarray(0, placeOf(whole, "rows/log_chunk/") + 5000)],
    [
      "cut off in an object",
      (whole) => whole.subarray(0, placeOf(whole, "objects/artifacts/") + 3),
    ],
    [
      "cut off before its manifest",
      (whole) => whole.subarray(0, whole.lastIndexOf("manifest.json")),
    ],
    ["cut off in its last block", (whole) => whole.subarray(0, -100)],
    [
      "with another byte in an object",
      (whole) => changed(whole, placeOf(whole, "objects/artifacts/")),
    ],
    [
      "with another byte in a log's rows",
      (whole) => changed(whole, placeOf(whole, "rows/log_chunk/000002") + 999_000),
    ],
    ["with another byte in a key", (whole) => changed(whole, placeOf(whole, "files/keys/"))],
    ["with another byte in its header", (whole) => changed(whole, 512 + 3)],
    [
      "with another byte in its manifest",
      (whole) => changed(whole, whole.lastIndexOf("manifest.json") + 512 + 40),
    ],
    ["with something behind it", (whole) => Buffer.concat([whole, Buffer.alloc(512, 1)])],
  ])("refuses a file that is %s, and leaves nothing", async (what, alter) => {
    const path = altered(`${what.replaceAll(" ", "-")}.tar`, alter(readFileSync(file)));
    const databaseUrl = await emptyDatabase();
    await expect(restore(path, databaseUrl)).rejects.toMatchObject({
      reason: "BACKUP_INVALID",
      hint: expect.any(String),
    });
    expect(await tablesOf(databaseUrl)).toBe(0);
    // What is mended is taken by the same database then.
    await restore(file, databaseUrl);
  });

  function changed(whole: Buffer, at: number): Buffer {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  }

  it("refuses a backup of a newer version by its number, and leaves nothing", async () => {
    // These sources, before their newest migration was written.
    const older = mkdtempSync(join(folder, "m-"));
    cpSync(migrations, older, { recursive: true });
    const newest = (await readMigrations(migrations)).at(-1)?.name ?? "";
    rmSync(join(older, newest), { recursive: true });
    const databaseUrl = await emptyDatabase();
    await expect(
      restoreBackup(file, {
        databaseUrl,
        migrations: older,
        store: new FileStore(mkdtempSync(join(folder, "o-"))),
        keepFile: async () => {},
      }),
    ).rejects.toMatchObject({
      reason: "BACKUP_TOO_NEW",
      message: expect.stringContaining(newest),
    });
    expect(await tablesOf(databaseUrl)).toBe(0);
  });

  it("refuses a database with tables, and changes nothing in it", async () => {
    const databaseUrl = await emptyDatabase();
    await ask(databaseUrl, "CREATE TABLE somebodys (x int); INSERT INTO somebodys VALUES (7)");
    await expect(restore(file, databaseUrl)).rejects.toMatchObject({
      reason: "BACKUP_TARGET_TAKEN",
    });
    expect(await ask(databaseUrl, "SELECT x FROM somebodys")).toEqual([{ x: 7 }]);
  });

  it("can be read with any tar", () => {
    const names = [...untar(readFileSync(file)).keys()];
    expect(names[0]).toBe("backup.json");
    expect(names.at(-1)).toBe("manifest.json");
  });
});
