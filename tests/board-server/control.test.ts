import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDevices } from "@/board-server/devices";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import { createEnrolment } from "@/domain/board-servers";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { deleteEndpoint, getEndpoint, reconcileEndpoints } from "@/domain/endpoints";
import { loadRoutes, type RouteEndpoint } from "@/domain/routes";
import { type Gateway, startGateway } from "@/gateway/gateway";
import type { NewEndpoint } from "@/lib/common/contract";
import { boardServerHeaders, signedText } from "@/lib/server/board-protocol";
import { database, listen } from "@/lib/server/db";
import { digestOfJson, hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { bundle } from "@/scripts/bundle.mjs";
import { addRevision, deploy } from "@/tests/support/deploy";
import { someKey } from "../support/artifact-archive";
import { bare, openDatabase, scope } from "../support/domain";
import {
  irisArtifact,
  loadOf,
  makeSigner,
  type TestArtifact,
  trialArtifact,
} from "./support/artifacts";
import { type ControlPlane, startControlPlane } from "./support/control-plane";

// The whole way but the build: real database, route handlers, board server, gateway.

openDatabase();

const signer = makeSigner();
let folder: string;
let portal: ControlPlane;
let server: BoardServer;
let gateway: Gateway;
let trial: TestArtifact;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-ctl-"));
  process.env["STORAGE_DIR"] = path.join(folder, "store");
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  await objectStore().ensureBucket(buckets.artifacts);
  const [key] = signer.keys;
  await database().signingKey.create({ data: key ?? { keyId: "", publicKey: "" } });
  trial = await trialArtifact("core");
  portal = await startControlPlane();
  server = await start((await createEnrolment()).code);
  gateway = await startGateway({
    load: loadRoutes,
    listen: (onRing) => listen("route", { onNotify: onRing, onReconnect: onRing }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://localhost:3000",
  });
}, 120_000);
afterAll(async () => {
  await gateway?.close();
  await server?.close();
  await portal?.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (enrolCode: string) =>
  startBoardServer({
    name: "control-test",
    portalUrl: portal.url,
    stateDir: path.join(folder, "state"),
    listen: { kind: "unix", path: path.join(folder, "s") },
    enrolCode,
    simulatedCapacity: 2,
    cpuSlots: 4,
    devices: createDevices(),
  });

/** Deploys, and does by hand what a build worker does with a finished artifact. */
async function publish(artifact: TestArtifact, request: NewEndpoint): Promise<void> {
  const { buildId } = await deploy(scope, request);
  await finish(buildId, artifact, request.name);
}

async function finish(buildId: string, artifact: TestArtifact, plan: string): Promise<void> {
  const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
  for (const [digest, bytes] of artifact.files) {
    const options = { sizeBytes: bytes.length };
    await objectStore().put(buckets.artifacts, hexOf(digest), bytes, options);
  }
  const { signature, artifactDigest } = loadOf(artifact, signer);
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, {
    artifact: {
      digest: artifactDigest as `sha256:${string}`,
      planDigest: digestOfJson({ plan }),
      manifest: artifact.manifest,
      signature,
      report: { resources: [] },
      sizeBytes: 1,
    },
  });
}

const onCpu = (name: string): NewEndpoint => ({
  name,
  engine: "onnx",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "cpu", kind: "cpu" },
});
const onBoard = (name: string): NewEndpoint => ({
  ...onCpu(name),
  engine: "boardwalk",
  board: { model: "icebreaker", kind: "simulated" },
});

/** Sweeps as the control worker does, until an endpoint's route looks as wanted. */
async function until(name: string, test: (route: RouteEndpoint | undefined) => boolean) {
  await expect
    .poll(
      async () => {
        await reconcileEndpoints();
        const { endpoints } = await loadRoutes();
        return test(endpoints.find((endpoint) => endpoint.name === name));
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBe(true);
}

const isReady = (route: RouteEndpoint | undefined) =>
  route?.state === "ready" && route.revisions.some(({ replicas }) => replicas.length === 1);

async function infer(name: string, input: unknown) {
  const answer = await fetch(`http://127.0.0.1:${gateway.httpPort}/v2/models/${name}/infer`, {
    method: "POST",
    body: JSON.stringify({ inputs: [input] }),
  });
  return { status: answer.status, body: await answer.json() };
}

const iris = { name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] };
const five = { name: "x", shape: [1, 5], datatype: "FP32", data: [1, 2, 3, 4, 5] };

describe("from a finished build to an answer", () => {
  it("shows an endpoint that is not ready yet", async () => {
    await deploy(scope, onCpu("waiting"));
    await until("waiting", (route) => route?.state === "building");
    const status = async () => (await infer("waiting", iris)).status;
    await expect.poll(status).toBe(503);
  });

  it("answers from the CPU board", async () => {
    await publish(irisArtifact(), onCpu("iris"));
    await until("iris", isReady);
    await expect.poll(async () => (await infer("iris", iris)).status).toBe(200);
    const { body } = await infer("iris", iris);
    expect(body.model_version).toBe("1");
    expect(body.outputs[0].data[0]).toBeGreaterThan(0.99);
  });

  it("answers from a simulated board made for the endpoint", async () => {
    await publish(trial, onBoard("trial"));
    await until("trial", isReady);
    await expect.poll(async () => (await infer("trial", five)).status).toBe(200);
    expect((await infer("trial", five)).body.outputs[0].data).toEqual([
      15 + 256 * 20,
      25 + 256 * 30,
    ]);
  });

  it("finds its slots again after the board server forgot everything", async () => {
    await server.close();
    await rm(path.join(folder, "state"), { recursive: true });
    server = await start((await createEnrolment()).code);
    await until(
      "trial",
      (route) => !isReady(route) || route?.revisions[0]?.replicas[0]?.slotEpoch === 2,
    );
    await until("trial", isReady);
    await until("iris", isReady);
    await expect.poll(async () => (await infer("trial", five)).status).toBe(200);
  });

  it("keeps the revision that serves where the bytes of the next one are gone from the store", async () => {
    await publish(irisArtifact(), onCpu("vanishing"));
    await until("vanishing", isReady);
    await expect.poll(async () => (await infer("vanishing", iris)).status).toBe(200);
    const next = irisArtifact("bytes that no other artifact has");
    const { name, ...request } = onCpu("vanishing");
    const { buildId } = await addRevision(scope, name, request);
    await finish(buildId, next, "vanished");
    const gone = next.manifest.files.find(({ role }) => role === "vectors");
    await objectStore().delete(buckets.artifacts, hexOf(gone?.digest ?? ""));
    const said = async () => {
      await reconcileEndpoints();
      return (await database().slot.findMany()).map(
        ({ problem }) => (problem as { reason?: string } | null)?.reason,
      );
    };
    await expect.poll(said, { timeout: 60_000, interval: 200 }).toContain("ARTIFACT_MISSING");
    await reconcileEndpoints();
    expect(await getEndpoint(scope, name)).toMatchObject({ state: "ready", revision: 1 });
    const answer = await infer(name, iris);
    expect([answer.status, answer.body.model_version]).toEqual([200, "1"]);
    await deleteEndpoint(scope, name);
    await until(name, (route) => route === undefined);
  });

  it("frees the slot of a deleted endpoint", async () => {
    await deleteEndpoint(scope, "trial");
    await until("trial", (route) => route === undefined);
    await expect.poll(async () => (await infer("trial", five)).status).toBe(404);
    await expect
      .poll(async () => {
        await reconcileEndpoints();
        return await database().board.count({ where: { kind: "simulated", removedAt: null } });
      })
      .toBe(0);
  });
});

describe("a board that is adopted", () => {
  it("is known to its server, which takes the portal's signature for it", async () => {
    const board = { key: "ice-1", sighting: "s", boardModel: "icebreaker", serialPort: "/dev/x" };
    const known = () => {
      const poll = portal.seen.findLast(({ url }) => url.endsWith("/poll"));
      const body = Buffer.from((poll?.init.body as Uint8Array | undefined) ?? "{}").toString();
      return (JSON.parse(body) as { adopted?: string[] }).adopted;
    };
    const where = { name: "control-test" };
    await database().boardServer.updateMany({ where, data: { adopted: [board] } });
    await expect.poll(known, { timeout: 20_000 }).toEqual(["ice-1"]);
    await database().boardServer.updateMany({ where, data: { adopted: [] } });
    await expect.poll(known, { timeout: 20_000 }).toEqual([]);
  });
});

describe("the board protocol", () => {
  const send = (url: string, init: RequestInit) => fetch(portal.url + url, init);

  it("takes a code from one server only, again from itself, and no unknown one", async () => {
    const { code } = await createEnrolment();
    const request = {
      code,
      name: "second",
      publicKey: Buffer.alloc(32, 1).toString("base64"),
      address: { kind: "tcp", host: "127.0.0.1", port: 1 },
      boards: [],
      simulatedCapacity: 0,
    };
    const post = (body: unknown) =>
      send("/api/board-server/v1/enrol", { method: "POST", body: JSON.stringify(body) });
    const first = await post(request);
    expect(first.status).toBe(200);
    // It was killed before it could remember who it is.
    const again = await post(request);
    expect(again.status).toBe(200);
    expect((await again.json()).serverId).toBe((await first.json()).serverId);
    const other = { ...request, publicKey: Buffer.alloc(32, 2).toString("base64") };
    for (const body of [other, { ...request, code: "bw_enrol_x" }]) {
      const answer = await post(body);
      expect(answer.status).toBe(401);
      expect((await answer.json()).error.reason).toBe("ENROLMENT_INVALID");
    }
    await database().$executeRaw`UPDATE enrolment SET expires_at = now() - interval '1 second'`;
    const late = await createEnrolment();
    await database().$executeRaw`UPDATE enrolment SET expires_at = now() - interval '1 second'`;
    expect((await post({ ...request, code: late.code })).status).toBe(401);
    expect((await post(request)).status).toBe(401);
    expect((await post({ code: 1 })).status).toBe(422);
  });

  it("hears the newer of two servers of one name, and the older one no more", async () => {
    const path = "/api/board-server/v1/poll";
    const report = (capacity: number) => ({
      address: { kind: "tcp", host: "127.0.0.1", port: capacity },
      boards: [],
      slots: [],
      simulatedCapacity: capacity,
      adopted: [],
      waitS: 0,
    });
    const enrolled = async () => {
      const key = someKey();
      const { code } = await createEnrolment();
      const { slots, adopted, waitS, ...offer } = report(1);
      const answer = await send("/api/board-server/v1/enrol", {
        method: "POST",
        body: JSON.stringify({ ...offer, code, name: "twice", publicKey: key.publicKey }),
      });
      return { sign: key.sign, ...((await answer.json()) as { serverId: string; nonce: string }) };
    };
    type Server = Awaited<ReturnType<typeof enrolled>>;
    /** A signed poll, with the nonce that the portal would take from this server now. */
    const say = async ({ serverId, nonce, sign }: Server, capacity: number) => {
      const body = JSON.stringify(report(capacity));
      const bodySha256 = createHash("sha256").update(body).digest("hex");
      return await send(path, {
        method: "POST",
        body,
        headers: {
          [boardServerHeaders.server]: serverId,
          [boardServerHeaders.nonce]: nonce,
          [boardServerHeaders.signature]: sign(
            signedText({ method: "POST", path, nonce, bodySha256 }),
          ),
        },
      });
    };
    const nonceOf = (answer: Response) => answer.headers.get(boardServerHeaders.nonce) ?? "";
    const row = () => database().boardServer.findUniqueOrThrow({ where: { name: "twice" } });

    const older = await enrolled();
    const heard = await say(older, 2);
    expect(heard.status).toBe(200);
    const newer = await enrolled();
    expect(newer.serverId).toBe(older.serverId);
    const first = await say({ ...older, nonce: nonceOf(heard) }, 3);
    const again = await say({ ...older, nonce: nonceOf(first) }, 3);
    for (const answer of [first, again]) {
      expect(answer.status).toBe(401);
      expect((await answer.json()).error.reason).toBe("UNAUTHENTICATED");
    }
    expect(await row()).toMatchObject({ simulatedCapacity: 1, address: report(1).address });
    expect((await say({ ...newer, nonce: nonceOf(again) }, 4)).status).toBe(200);
    expect(await row()).toMatchObject({ simulatedCapacity: 4, address: report(4).address });
  });

  it("hears no request twice, nor one whose body, path or signature was changed", async () => {
    const poll = portal.seen.findLast(({ url }) => url.endsWith("/poll"));
    const headers = (poll?.init.headers ?? {}) as Record<string, string>;
    const again = await send(poll?.url ?? "", poll?.init ?? {});
    expect(again.status).toBe(401);
    const nonce = again.headers.get("board-server-nonce");
    expect(nonce).not.toBe(headers["board-server-nonce"]);
    const forged = { ...headers, "board-server-nonce": nonce ?? "" };
    const answer = await send(poll?.url ?? "", { ...poll?.init, headers: forged });
    expect((await answer.json()).error.reason).toBe("UNAUTHENTICATED");
    const stranger = { ...forged, "board-server": "bsv_00000000-0000-7000-8000-000000000000" };
    expect((await send(poll?.url ?? "", { ...poll?.init, headers: stranger })).status).toBe(401);
  });

  it("gives no file to a server that has no slot for it", async () => {
    const { openFileForServer } = await import("@/domain/board-servers");
    const { artifactDigest } = loadOf(trial, signer);
    const [file] = trial.manifest.files;
    const servers = await database().boardServer.findMany();
    for (const { id } of servers) {
      await expect(openFileForServer(id, artifactDigest, file?.digest ?? "")).rejects.toMatchObject(
        {
          reason: "ARTIFACT_UNKNOWN",
        },
      );
    }
  });

  it("refuses reports about another server's slots, and older epochs change nothing", async () => {
    const { poll } = await import("@/domain/board-servers");
    const slot = await database().slot.findFirstOrThrow({
      where: {
        state: "serving",
        assignments: { some: { releasedAt: null, revision: { endpoint: { name: "iris" } } } },
      },
    });
    const owner = await database().boardServer.findFirstOrThrow({
      where: { name: "control-test" },
    });
    const other = await database().boardServer.findFirstOrThrow({ where: { name: "second" } });
    const report = {
      address: owner.address as { kind: "unix"; path: string },
      boards: [],
      simulatedCapacity: 0,
      adopted: [],
      waitS: 0,
      slots: [
        {
          slotId: `slt_${slot.id}`,
          slotEpoch: slot.epoch,
          state: "empty" as const,
          revisionId: null,
          artifactDigest: null,
          commandId: null,
          problem: null,
        },
      ],
    };
    const { signal } = new AbortController();
    await expect(poll(other.id, report, signal)).rejects.toMatchObject({ reason: "FORBIDDEN" });
    await server.close();
    const offered = [{ key: "cpu-0", boardModel: "cpu", kind: "cpu" as const, slots: 4 }];
    const [mine] = report.slots;
    const say = (change: object) =>
      poll(
        owner.id,
        { ...report, boards: offered, slots: mine ? [{ ...mine, ...change }] : [] },
        signal,
      );
    await say({ slotEpoch: slot.epoch - 1 });
    expect(await database().slot.findUnique({ where: { id: slot.id } })).toMatchObject({
      state: "serving",
    });
    await say({ state: "serving", revisionId: `rev_${slot.id}`, artifactDigest: digestOfJson(1) });
    expect(await database().slot.findUnique({ where: { id: slot.id } })).toMatchObject({
      state: "unknown",
    });
    const { endpoints } = await loadRoutes();
    expect(endpoints.find(({ name }) => name === "iris")?.revisions[0]?.replicas).toEqual([]);
  });
});
