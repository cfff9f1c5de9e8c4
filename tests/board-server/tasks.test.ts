import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDevices } from "@/board-server/devices";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import { createEnrolment } from "@/domain/board-servers";
import { askBoard, drainBoard, getBoard, listBoards, resumeBoard } from "@/domain/boards";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { reconcileEndpoints } from "@/domain/endpoints";
import { loadRoutes } from "@/domain/routes";
import { type Gateway, startGateway } from "@/gateway/gateway";
import type { NewEndpoint } from "@/lib/common/contract";
import { database, listen } from "@/lib/server/db";
import { digestOfJson, hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { bundle } from "@/scripts/bundle.mjs";
import { deploy } from "@/tests/support/deploy";
import { bare, openDatabase, scope } from "../support/domain";
import { loadOf, makeSigner, type TestArtifact, trialArtifact } from "./support/artifacts";
import { type ControlPlane, startControlPlane } from "./support/control-plane";

// Real database, route handlers, two board servers with simulated boards, and gateway: boards drained under traffic, over a
// restart, and asked to test themselves and to blink.

openDatabase();

const signer = makeSigner();
const servers = new Map<string, BoardServer>();
let folder: string;
let portal: ControlPlane;
let gateway: Gateway;
let trial: TestArtifact;
const stop = new AbortController();
let reconciling: Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-tsk-"));
  process.env["STORAGE_DIR"] = path.join(folder, "store");
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  await objectStore().ensureBucket(buckets.artifacts);
  const [key] = signer.keys;
  await database().signingKey.create({ data: key ?? { keyId: "", publicKey: "" } });
  trial = await trialArtifact("core");
  portal = await startControlPlane();
  for (const name of ["one", "two"]) await start(name);
  gateway = await startGateway({
    load: loadRoutes,
    listen: (onRing) => listen("route", { onNotify: onRing, onReconnect: onRing }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://localhost:3000",
  });
  reconciling = (async () => {
    while (!stop.signal.aborted) {
      await reconcileEndpoints();
      await delay(50);
    }
  })();
}, 120_000);
afterAll(async () => {
  stop.abort();
  await reconciling;
  await gateway?.close();
  for (const server of servers.values()) await server.close();
  await portal?.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(name: string): Promise<void> {
  servers.set(
    name,
    await startBoardServer({
      name: `tasks-${name}`,
      portalUrl: portal.url,
      stateDir: path.join(folder, `state-${name}`),
      listen: { kind: "unix", path: path.join(folder, name) },
      enrolCode: (await createEnrolment()).code,
      simulatedCapacity: 2,
      cpuSlots: 0,
      devices: createDevices(),
    }),
  );
}

/** Deploys, and does by hand what a build worker does with a finished artifact. */
async function publish(name: string, replicas: number): Promise<void> {
  const request: NewEndpoint = {
    name,
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
    serving: { replicas },
  };
  const { buildId } = await deploy(scope, request);
  const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
  for (const [digest, bytes] of trial.files) {
    await objectStore().put(buckets.artifacts, hexOf(digest), bytes, { sizeBytes: bytes.length });
  }
  const { signature, artifactDigest } = loadOf(trial, signer);
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, {
    artifact: {
      digest: artifactDigest as `sha256:${string}`,
      planDigest: digestOfJson({ plan: name }),
      manifest: trial.manifest,
      signature,
      report: { resources: [] },
      sizeBytes: 1,
    },
  });
}

const infer = async (name: string) => {
  const answer = await fetch(`http://127.0.0.1:${gateway.httpPort}/v2/models/${name}/infer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      inputs: [{ name: "x", shape: [1, 5], datatype: "FP32", data: [1, 2, 3, 4, 5] }],
    }),
  });
  return { status: answer.status, text: await answer.text() };
};

const boardsOf = async (name: string) => {
  const { items } = await listBoards(scope, { limit: 200 });
  return items.filter(({ slots }) =>
    slots.some(({ endpointName, state }) => endpointName === name && state === "serving"),
  );
};

const patient = { timeout: 20_000 };

describe("a board that is drained under traffic", () => {
  it("lets go of its replica and loses no request, where another replica serves", async () => {
    await publish("pair", 2);
    await expect.poll(async () => (await boardsOf("pair")).length, patient).toBe(2);
    await expect.poll(async () => (await infer("pair")).status, patient).toBe(200);
    const answers: { status: number; text: string }[] = [];
    const end = new AbortController();
    const clients = Array.from({ length: 4 }, async () => {
      while (!end.signal.aborted) answers.push(await infer("pair"));
    });
    await expect.poll(() => answers.length, patient).toBeGreaterThan(25);
    const [drained] = await boardsOf("pair");
    await drainBoard(scope, drained?.id ?? "", "move");
    await expect
      .poll(async () => (await boardsOf("pair")).map(({ id }) => id), patient)
      .not.toContain(drained?.id);
    const before = answers.length;
    await expect.poll(() => answers.length, patient).toBeGreaterThan(before + 25);
    end.abort();
    await Promise.all(clients);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(answers.map(({ text }) => JSON.parse(text).outputs[0].data.join())).size).toBe(
      1,
    );
  });

  it("hands a lone replica over to another board without a request lost", async () => {
    await publish("lone", 1);
    await expect.poll(async () => (await boardsOf("lone")).length, patient).toBe(1);
    await expect.poll(async () => (await infer("lone")).status, patient).toBe(200);
    const [first] = await boardsOf("lone");
    const statuses: number[] = [];
    const end = new AbortController();
    const client = (async () => {
      while (!end.signal.aborted) statuses.push((await infer("lone")).status);
    })();
    await drainBoard(scope, first?.id ?? "", "move");
    await expect
      .poll(async () => (await boardsOf("lone")).map(({ id }) => id), patient)
      .not.toContain(first?.id);
    await delay(300);
    end.abort();
    await client;
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("stays drained over a restart of its board server, and keeps what it was told to keep", async () => {
    const [kept] = await boardsOf("lone");
    await drainBoard(scope, kept?.id ?? "", "keep");
    const name = kept?.serverName.replace("tasks-", "") ?? "";
    await servers.get(name)?.close();
    await start(name);
    await expect
      .poll(async () => (await boardsOf("lone")).map(({ id }) => id), patient)
      .toEqual([kept?.id]);
    const board = await getBoard(scope, kept?.id ?? "");
    expect(board.drain).toMatchObject({ loaded: "keep" });
    await expect.poll(async () => (await infer("lone")).status, patient).toBe(200);
    await resumeBoard(scope, kept?.id ?? "");
    expect((await getBoard(scope, kept?.id ?? "")).drain).toBeUndefined();
  });
});

describe("a simulated board", () => {
  const lastTask = async (id: string) => (await getBoard(scope, id)).tasks[0];

  it("runs the sixteen rows of its load again, while it serves", async () => {
    const [board] = await boardsOf("lone");
    await expect
      .poll(async () => (await getBoard(scope, board?.id ?? "")).server.version, patient)
      .toBe("0.1.0");
    await askBoard(scope, board?.id ?? "", "self-test");
    await expect
      .poll(() => lastTask(board?.id ?? ""), patient)
      .toMatchObject({ kind: "self-test", state: "succeeded", rows: 16, endpoint: "lone" });
    expect((await infer("lone")).status).toBe(200);
  });

  it("blinks for some seconds, in which it serves on", async () => {
    const [board] = await boardsOf("lone");
    await askBoard(scope, board?.id ?? "", "blink");
    await expect
      .poll(() => lastTask(board?.id ?? ""), patient)
      .toMatchObject({ kind: "blink", state: "running" });
    expect((await infer("lone")).status).toBe(200);
    await expect
      .poll(() => lastTask(board?.id ?? ""), patient)
      .toMatchObject({ kind: "blink", state: "succeeded" });
    expect((await lastTask(board?.id ?? ""))?.durationMs).toBeGreaterThan(4000);
  });
});
