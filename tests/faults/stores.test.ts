import { cpSync, rmSync } from "node:fs";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Build } from "@/lib/common/contract";
import { audit, type Ledger } from "@/tests/support/audit";
import { deploy, predict, saying, until, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import type { LinkedStore } from "@/tests/support/store-links";

// Stores that are away, frozen, full or forgetful at a named moment: what was acknowledged is done all the same, once.

const ledger: Ledger = { builds: [], endpoints: [] };
let installation: Installation;
let serial = 0;

beforeAll(async () => {
  installation = await startInstallation("store-faults", {
    isLinked: true,
    // A worker has this long to renew its lease once Postgres is back.
    variables: { BOARD_SERVER_CPU_SLOTS: "32", GRACE_S: "5" },
  });
});
afterEach(() => {
  for (const name of installation.links.names) link(name).set(null);
});
afterAll(async () => {
  await installation?.stop();
});

const link = (store: LinkedStore) => installation.links.of(store);
const redis = async (...[command, ...args]: readonly string[]) => {
  const client = new Redis(installation.stores.variables.REDIS_URL);
  try {
    return await client.call(command ?? "", ...args);
  } finally {
    client.disconnect();
  }
};

/** The request for an endpoint of a model that nobody built before. */
async function fresh() {
  serial += 1;
  const model = await upload(installation, "model.onnx", saying(pair.model, `store ${serial}`));
  expect(model.status).toBe(201);
  return {
    name: `store-${serial}`,
    engine: "onnx",
    model: { url: model.body.url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
  };
}

const post = (request: object, key: string) =>
  fetch(`${installation.portalUrl}/api/v1/endpoints`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key, prefer: "wait=0" },
    body: JSON.stringify(request),
  });

async function buildOf(id: string): Promise<Build> {
  return (await installation.api(`/builds/${id}`)).body;
}

const endOf = (id: string) =>
  until(`the end of ${id}`, async () => {
    const build = await buildOf(id);
    return ["succeeded", "failed"].includes(build.state) && build;
  });

/** How many builds were made for an endpoint. */
async function countBuilds(name: string): Promise<number> {
  const { body } = await installation.api("/builds?limit=200");
  const { items } = body as { items: { endpointName: string }[] };
  return items.filter(({ endpointName }) => endpointName === name).length;
}

async function ask(request: { name: string }): Promise<string> {
  const { buildId, name } = await deploy(installation, request);
  ledger.builds.push(buildId);
  ledger.endpoints.push(name);
  return buildId;
}

describe("Postgres", () => {
  it("away at a submit: 503 with a word on when to try again, and nothing is made", async () => {
    const request = await fresh();
    link("postgres").set({ kind: "reset" });
    const answer = await post(request, "away");
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { reason: "STORE_UNAVAILABLE" } });
    link("postgres").set(null);
    await until("the portal", async () => (await installation.api("/builds")).status === 200);
    expect(await countBuilds(request.name)).toBe(0);
  });

  it("commits and the reply is lost: the same key finds the one build", async () => {
    const request = await fresh();
    const { spoilt } = link("postgres");
    link("postgres").set({ kind: "lost-answer", to: "COMMIT", after: request.name });
    const first = await post(request, "lost-reply");
    expect(link("postgres").spoilt).toBe(spoilt + 1);
    expect(first.status).toBe(503);
    const { buildId } = await deploy(installation, request, "lost-reply");
    expect((await endOf(buildId)).state).toBe("succeeded");
    expect(await countBuilds(request.name)).toBe(1);
    ledger.builds.push(buildId);
  });

  it("has no connection left: 503, and it goes on by itself", async () => {
    const request = await fresh();
    // What the server says to one connection too many.
    const words = "SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0";
    const size = String.fromCharCode(0, 0, 0, words.length + 4);
    link("postgres").set({ kind: "answer", to: "", text: `E${size}${words}` });
    const answer = await post(request, "too-many");
    expect(answer.status).toBe(503);
    link("postgres").set(null);
    expect((await endOf(await ask(request))).state).toBe("succeeded");
  });
});

const slowDown = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

describe("Postgres killed during a build", () => {
  it("leaves its attempt be: it goes on when Postgres is back", async () => {
    const request = await fresh();
    const { spoilt } = link("storage");
    link("storage").set({ kind: "answer", to: "GET /uploads-", text: slowDown });
    const id = await ask(request);
    await until("its fetch", async () => link("storage").spoilt > spoilt);
    await installation.stores.restart("postgres");
    link("storage").set(null);
    expect(await endOf(id)).toMatchObject({ state: "succeeded", attempt: 1 });
  });
});

describe("Redis", () => {
  it("away at a submit: it is taken, waits, and is built when Redis is back", async () => {
    const request = await fresh();
    link("redis").set({ kind: "reset" });
    const id = await ask(request);
    expect((await buildOf(id)).state).toBe("queued");
    link("redis").set(null);
    expect((await endOf(id)).state).toBe("succeeded");
  });

  it("frozen at a submit: the same", async () => {
    const request = await fresh();
    const pid = installation.stores.pids.get("redis") as number;
    process.kill(pid, "SIGSTOP");
    try {
      const id = await ask(request);
      expect((await buildOf(id)).state).toBe("queued");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect((await endOf(ledger.builds.at(-1) as string)).state).toBe("succeeded");
  });

  it.each([
    ["read-only", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]],
    ["out of memory", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]],
  ] as const)(
    "%s: jobs wait in the outbox, and are built when it takes them again",
    async (_, spoil, mend) => {
      const request = await fresh();
      await redis(...spoil);
      const id = await ask(request);
      expect((await buildOf(id)).state).toBe("queued");
      await redis(...mend);
      expect((await endOf(id)).state).toBe("succeeded");
    },
  );

  it("restored from an old snapshot: its ghost jobs claim nothing, and new ones are built", async () => {
    const [one, two] = [await fresh(), await fresh()];
    await installation.processes.stop("build-worker");
    const ids = [await ask(one), await ask(two)];
    const jobs = ids.map((id) => `bull:build:build-${id.replace("bld_", "")}-1`);
    await until("jobs in Redis", async () => (await redis("EXISTS", ...jobs)) === jobs.length);
    const folder = installation.home.at("redis", "appendonlydir");
    const snapshot = installation.home.at("tmp", "old-redis");
    cpSync(folder, snapshot, { recursive: true });
    installation.processes.start("build-worker");
    for (const id of ids) expect((await endOf(id)).state).toBe("succeeded");
    await installation.stores.restart("redis", {
      before: async () => {
        rmSync(folder, { recursive: true, force: true });
        cpSync(snapshot, folder, { recursive: true });
      },
    });
    const next = await ask(await fresh());
    expect((await endOf(next)).state).toBe("succeeded");
    for (const id of ids) expect((await buildOf(id)).attempt).toBe(1);
  });
});

describe("S3", () => {
  it.each([
    ["the model is fetched", "GET /uploads-"],
    ["the artifact is stored", "PUT /artifacts/"],
  ])("answers 503 while %s: the build goes on when it has calmed down", async (_, to) => {
    const request = await fresh();
    const { spoilt } = link("storage");
    link("storage").set({ kind: "answer", to, text: slowDown });
    const id = await ask(request);
    await until("refusals", async () => link("storage").spoilt > spoilt + 2);
    link("storage").set(null);
    const build = await endOf(id);
    expect(build).toMatchObject({ state: "succeeded", attempt: 1 });
  });

  it("away while a model is fetched: the same", async () => {
    const request = await fresh();
    link("storage").set({ kind: "reset" });
    const id = await ask(request);
    await until("its fetch", async () => (await buildOf(id)).state === "preparing");
    link("storage").set(null);
    expect(await endOf(id)).toMatchObject({ state: "succeeded", attempt: 1 });
  });
});

describe("a build worker", () => {
  it("that freezes in a build, and wakes when it is another's: that one ends it, once", async () => {
    const request = await fresh();
    link("storage").set({ kind: "half-open" });
    const id = await ask(request);
    await until("its claim", async () => (await buildOf(id)).state === "preparing");
    const pid = installation.processes.running.get("build-worker")?.pid as number;
    process.kill(pid, "SIGSTOP");
    try {
      await until("its loss", async () => (await buildOf(id)).state === "queued");
      link("storage").set(null);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect(await endOf(id)).toMatchObject({ state: "succeeded", attempt: 2 });
  });
});

describe("after all that", () => {
  it("everything that was acknowledged is done, once, and answers", async () => {
    for (const name of ledger.endpoints) await untilReady(installation, name);
    const { checked, broken } = await audit(
      installation,
      ledger,
      async (name) => (await predict(installation, name, pair.row)).status === 200,
    );
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });
});
