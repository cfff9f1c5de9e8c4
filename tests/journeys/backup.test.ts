import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHome, root } from "@/scripts/lib/home.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { removeCluster } from "@/scripts/setup/postgres.mjs";
import { startStores } from "@/scripts/setup/stores.mjs";
import { until } from "@/tests/support/client";

// An installation of `npm start` is written to a file, while it serves and after, and another one is made of the file.

/** Where the user that Postgres runs as, for root, may pass. */
const folder = mkdtempSync("/tmp/bw-backup-");
chmodSync(folder, 0o711);
const homes = { old: join(folder, "old"), restored: join(folder, "restored") };
const files = { serving: join(folder, "serving.tar"), stopped: join(folder, "stopped.tar") };
const running: ChildProcess[] = [];

interface Told {
  readonly portal: string;
  readonly gateway: string;
  readonly metrics: readonly string[];
  readonly env: Record<string, string | undefined>;
}

async function environment(home: string): Promise<Told> {
  const ports = await Promise.all(Array.from({ length: 8 }, () => freePort()));
  const [portal, http, grpc, ...status] = ports.map(String);
  const env: Record<string, string | undefined> = {
    ...process.env,
    BOARDWALK_HOME: home,
    BOARDWALK_STORAGE: "folder",
    PROOF_S: "0.1",
    READ_BACK: "off",
    TOOLS_DIR: process.env["TOOLS_DIR"] ?? join(root, ".boardwalk/tools"),
    PORTAL_PORT: portal,
    GATEWAY_HTTP_PORT: http,
    GATEWAY_GRPC_PORT: grpc,
    GATEWAY_METRICS_PORT: status[0],
    PORTAL_METRICS_PORT: status[1],
    CONTROL_METRICS_PORT: status[2],
    WORKER_METRICS_PORT: status[3],
    BOARD_SERVER_METRICS_PORT: status[4],
    SWEEP_S: "0.5",
    GRACE_S: "1",
  };
  for (const name of ["DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "STORAGE_DIR"]) delete env[name];
  return {
    portal: `http://localhost:${portal}`,
    gateway: `http://localhost:${http}`,
    metrics: status.map((port) => `http://localhost:${port}`),
    env,
  };
}

/** Starts a script and gathers its words. */
function start(script: string, args: readonly string[], env: Told["env"]) {
  const child = spawn(process.execPath, [join(root, "scripts", script), ...args], {
    cwd: root,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, ended, words: () => text };
}

async function run(script: string, args: readonly string[], env: Told["env"]) {
  const { ended, words } = start(script, args, env);
  return { status: await ended, text: words() };
}

async function serve(told: Told, words: RegExp) {
  const launcher = start("start.mjs", [], told.env);
  await until(
    String(words),
    async () => {
      if (launcher.child.exitCode !== null) throw new Error(launcher.words());
      return words.test(launcher.words());
    },
    600_000,
  );
  return launcher;
}

async function predict({ gateway }: Told) {
  const answer = await fetch(`${gateway}/v2/models/iris-mlp/infer`, {
    method: "POST",
    body: JSON.stringify({
      inputs: [{ name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] }],
    }),
  });
  const body = (await answer.json()) as { outputs?: unknown };
  return { status: answer.status, outputs: body.outputs };
}

/** What people see of an installation: endpoint, builds, their logs, models and boards, but for the times of the last look. */
async function seen({ portal }: Told) {
  const get = async (path: string) => await (await fetch(`${portal}/api/v1${path}`)).text();
  const endpoint = JSON.parse(await get("/endpoints/iris-mlp"));
  const { buildId, artifactDigest, proof } = endpoint;
  return {
    ...{ buildId, artifactDigest, proof },
    log: await (
      await fetch(`${portal}/api/v1/builds/${buildId}/log`, { headers: { accept: "text/plain" } })
    ).text(),
    builds: await get("/builds"),
    artifact: await get(`/artifacts/${artifactDigest}`),
    models: await get("/models"),
  };
}

/** Every row of every table of a home that is stopped. */
async function rowsOf(home: string) {
  const before = { ...process.env };
  for (const name of ["DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "STORAGE_DIR"])
    delete process.env[name];
  process.env["BOARDWALK_STORAGE"] = "folder";
  const stores = await startStores(openHome(home));
  process.env = before;
  const client = new Client({ connectionString: stores.variables.DATABASE_URL });
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'",
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM "${name}" t`,
      );
      all[name] = rows.map(({ row }) => row).sort();
    }
    return all;
  } finally {
    await client.end();
    await stores.stop();
  }
}

function objectsOf(home: string): Record<string, string> {
  const at = join(home, "storage");
  const found = readdirSync(at, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  return Object.fromEntries(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(at, path), readFileSync(path).toString("base64")];
    }),
  );
}

let old: Told;
let restored: Told;
let answered: Awaited<ReturnType<typeof predict>>;
let shown: Awaited<ReturnType<typeof seen>>;

beforeAll(async () => {
  old = await environment(homes.old);
  restored = await environment(homes.restored);
  const launcher = await serve(old, /One prediction[\s\S]*Proof/);
  answered = await predict(old);
  expect(answered.status).toBe(200);
  shown = await seen(old);
  for (const url of old.metrics)
    await until(`${url} well`, async () => (await fetch(`${url}/healthz`)).status === 200);
  const backup = await run("backup.mjs", [files.serving], old.env);
  expect(backup.text).toMatch(/MB\/s[\s\S]*secrets/);
  expect(backup.status).toBe(0);
  const sealed = await run("connections.mjs", ["seal-again"], old.env);
  expect(sealed).toMatchObject({ status: 0, text: expect.stringContaining("may go") });
  launcher.child.kill("SIGINT");
  await launcher.ended;
  expect((await run("connections.mjs", ["seal-again"], old.env)).text).toBe(sealed.text);
  expect((await run("backup.mjs", [files.stopped], old.env)).status).toBe(0);
}, 900_000);

afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    await ended;
  }
  for (const home of Object.values(homes)) removeCluster(home);
  rmSync(folder, { recursive: true, force: true });
});

describe("a backup of an installation", () => {
  it("is its owner's alone", () => {
    for (const file of Object.values(files)) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is refused by a folder that is not empty, and where it was cut, and leaves nothing then", async () => {
    mkdirSync(homes.restored);
    writeFileSync(join(homes.restored, "mine"), "mine");
    const taken = await run("restore.mjs", [files.stopped], restored.env);
    expect(taken).toMatchObject({ status: 1, text: expect.stringContaining("is not empty") });
    expect(readdirSync(homes.restored)).toEqual(["mine"]);
    rmSync(homes.restored, { recursive: true });

    const cut = join(folder, "cut.tar");
    const whole = readFileSync(files.stopped);
    writeFileSync(cut, whole.subarray(0, whole.length - 5000));
    const damaged = await run("restore.mjs", [cut], restored.env);
    expect(damaged).toMatchObject({ status: 1, text: expect.stringContaining("damaged") });
    expect(readdirSync(folder).sort()).toEqual(["cut.tar", "old", "serving.tar", "stopped.tar"]);
  });

  it("gives every row and every object back", async () => {
    const { status, text } = await run("restore.mjs", [files.stopped], restored.env);
    expect(text).toMatch(/is restored\. Start it/);
    expect(status).toBe(0);
    expect(existsSync(`${homes.restored}.restoring`)).toBe(false);
    expect(await rowsOf(homes.restored)).toEqual(await rowsOf(homes.old));
    const kept = objectsOf(homes.old);
    const back = objectsOf(homes.restored);
    expect(Object.keys(back).filter((key) => key.startsWith("artifacts/")).length).toBeGreaterThan(
      2,
    );
    for (const key of Object.keys(kept).filter((name) => /^(artifacts|logs|uploads-)/.test(name)))
      expect(back[key], key).toBe(kept[key]);
    for (const [key, bytes] of Object.entries(back)) expect(bytes, key).toBe(kept[key]);
    for (const key of ["keys/signing.pem", "keys/control.pem", "board-server/identity.pem"])
      expect(readFileSync(join(homes.restored, key))).toEqual(readFileSync(join(homes.old, key)));
    rmSync(homes.restored, { recursive: true });
    removeCluster(homes.restored);
  }, 300_000);

  it("that was written while it served makes one that answers as the old one did", async () => {
    expect((await run("restore.mjs", [files.serving], restored.env)).status).toBe(0);
    await serve(restored, /serves http/);
    await until("an answer", async () => (await predict(restored)).status === 200);
    expect(await predict(restored)).toEqual(answered);
    expect(await seen(restored)).toEqual(shown);
    for (const url of restored.metrics)
      await until(`${url} well`, async () => (await fetch(`${url}/healthz`)).status === 200);
  }, 300_000);
});
