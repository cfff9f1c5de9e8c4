import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Build } from "@/lib/common/contract";
import { freePort } from "@/scripts/lib/ports.mjs";
import { deploy, predict, saying, until, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";

// The clock of one process's host jumps by three years while it works, forth and back: libfaketime answers for the clock of
// the day, and leaves the monotonic one alone, as a host whose clock is set does. No lease, build or route changes its fate.

const folder = mkdtempSync(join(tmpdir(), "bw-clock-"));
const clockOf = (name: string) => join(folder, name);
const setClock = (name: string, offset: string) => writeFileSync(clockOf(name), offset);
/** The processes, and where each says how it is, and what time it has. */
const ports: Readonly<Record<string, string>> = {
  portal: "PORTAL_METRICS_PORT",
  gateway: "GATEWAY_METRICS_PORT",
  control: "CONTROL_METRICS_PORT",
  "build-worker": "WORKER_METRICS_PORT",
  "board-server": "BOARD_SERVER_METRICS_PORT",
};
const names = Object.keys(ports);
const jumps = [
  ["three years ahead", "+1095d", 3],
  ["three years back", "-1095d", -3],
] as const;
const slowDown = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
let installation: Installation;
let database: Client;
let serial = 0;

beforeAll(async () => {
  const free = await Promise.all(names.map(() => freePort()));
  installation = await startInstallation("clock", {
    isLinked: true,
    variables: {
      BOARD_SERVER_CPU_SLOTS: "32",
      ...Object.fromEntries(Object.values(ports).map((port, at) => [port, String(free[at])])),
    },
  });
  await until("a board", async () => {
    const { body } = await installation.api("/boards");
    return (body as { items: { state: string }[] }).items.some(({ state }) => state === "free");
  });
  const library = execFileSync("faketime", ["-m", "-f", "+0", "printenv", "LD_PRELOAD"], {
    encoding: "utf8",
  }).trim();
  for (const name of names) {
    setClock(name, "+0");
    await installation.processes.stop(name);
    installation.processes.start(name, {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clockOf(name),
      // Seconds for which its file is not read again.
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    });
  }
  await until("the portal", async () => (await installation.api("/builds")).status === 200);
  database = new Client({ connectionString: installation.stores.variables.DATABASE_URL });
  await database.connect();
  await ask(await requestFor("standing"));
  await untilReady(installation, "standing");
});
afterEach(() => {
  installation.links.of("storage").set(null);
  for (const name of names) setClock(name, "+0");
});
afterAll(async () => {
  await database?.end();
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The request for an endpoint of a model that nobody built before. */
async function requestFor(name: string) {
  serial += 1;
  const model = await upload(installation, "model.onnx", saying(pair.model, `clock ${serial}`));
  expect(model.status).toBe(201);
  return {
    name,
    engine: "onnx",
    model: { url: model.body.url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
  };
}

async function ask(request: object): Promise<string> {
  const { buildId } = await deploy(installation, { ...request });
  return buildId;
}

const buildOf = async (id: string): Promise<Build> =>
  (await installation.api(`/builds/${id}`)).body;

/** What holds a build, and what an endpoint answers from. */
async function slots(): Promise<unknown> {
  const { rows } = await database.query(
    `SELECT s.id, s.epoch, s.state FROM slot s JOIN revision r ON r.id = s.desired_revision_id
     JOIN endpoint e ON e.id = r.endpoint_id WHERE e.name = 'standing'`,
  );
  return rows;
}

async function renewedAt(id: string): Promise<number> {
  const { rows } = await database.query(
    "SELECT extract(epoch FROM lease_until) AS until FROM build WHERE id = $1",
    [uuidOf(id)],
  );
  return Number(rows[0]?.until);
}

const uuidOf = (id: string) => id.replace(/^bld_/, "");

/** The year that a process tells in the head of each answer. */
async function yearOf(name: string): Promise<number> {
  const port = installation.variables[ports[name] ?? ""];
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  await answer.arrayBuffer();
  return new Date(answer.headers.get("date") ?? "").getUTCFullYear();
}

describe.each(names)("the clock of the host of %s", (name) => {
  it.each(jumps)("%s: leases, builds and routes are as they were", async (_, offset, years) => {
    const before = await slots();
    const endpoint = `clock-${serial + 1}`;
    const request = await requestFor(endpoint);
    const { spoilt } = installation.links.of("storage");
    installation.links.of("storage").set({ kind: "answer", to: "GET /uploads-", text: slowDown });
    const id = await ask(request);
    await until("its fetch", async () => installation.links.of("storage").spoilt > spoilt);
    const year = await yearOf(name);
    setClock(name, offset);
    await until("the jump", async () => (await yearOf(name)) === year + years);
    const lease = await renewedAt(id);
    // Longer than a lease lasts.
    await until("renewals", async () => (await renewedAt(id)) > lease + 4);
    expect((await predict(installation, "standing", pair.row)).status).toBe(200);
    installation.links.of("storage").set(null);
    expect(
      await until("its end", async () => {
        const build = await buildOf(id);
        return ["succeeded", "failed"].includes(build.state) && build;
      }),
    ).toMatchObject({ state: "succeeded", attempt: 1 });
    await untilReady(installation, endpoint);
    expect((await predict(installation, endpoint, pair.row)).status).toBe(200);
    expect(await slots()).toEqual(before);

    setClock(name, "+0");
    const next = await ask(await requestFor(`${endpoint}-back`));
    await untilReady(installation, `${endpoint}-back`);
    expect(await buildOf(next)).toMatchObject({ state: "succeeded", attempt: 1 });
    expect(await slots()).toEqual(before);
    for (const each of [endpoint, `${endpoint}-back`])
      await installation.api(`/endpoints/${each}`, { method: "DELETE" });
  });
});

describe("after all that", () => {
  it("no row has a time of a wrong clock", async () => {
    const { rows: columns } = await database.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'`,
    );
    expect(columns.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const { table, column } of columns) {
      const { rowCount } = await database.query(
        `SELECT 1 FROM "${table}" WHERE "${column}" > now() + interval '1 year' OR "${column}" < now() - interval '1 year'`,
      );
      if (rowCount) wrong.push(`${table}.${column}`);
    }
    expect(wrong).toEqual([]);
  });
});
