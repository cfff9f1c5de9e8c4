import { beforeEach, describe, expect, it } from "vitest";
import { poll } from "@/domain/board-servers";
import { getBoard, listBoards } from "@/domain/boards";
import { claimBuild, failBuild, succeedBuild } from "@/domain/builds";
import {
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  listRevisions,
  reconcileEndpoints,
} from "@/domain/endpoints";
import { repairArtifacts } from "@/domain/reconcile";
import type { Digest, NewEndpoint, SlotReport } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import { addRevision, deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();

const lease = { leaseS: 60, deadlineS: 600 };

async function build(id: string, seed: string): Promise<string> {
  const attempt = await claimBuild(bare(id), "worker", lease);
  const { artifactDigest } = await succeedBuild(bare(id), attempt?.epoch ?? 0, {
    artifact: artifactOf(seed),
  });
  return artifactDigest;
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) if ((await reconcileEndpoints()) === 0) return;
}

type Said = { state: string; problem?: { reason: string; message: string } };

/** What a board server would report for every command that waits: the fake board of these tests. */
async function obey(say: Said = { state: "serving" }): Promise<number> {
  const slots = await database().slot.findMany({ where: { commandId: { not: null } } });
  for (const slot of slots) {
    const revision = slot.desiredRevisionId
      ? await database().revision.findUniqueOrThrow({ where: { id: slot.desiredRevisionId } })
      : null;
    const isDone = say.state !== "loading" && say.state !== "testing";
    const serves = revision && say.state === "serving";
    await database().slot.update({
      where: { id: slot.id },
      data: {
        state: revision ? say.state : "empty",
        reportedRevisionId: serves ? revision.id : null,
        reportedArtifactDigest: serves ? revision.artifactDigest : null,
        reportedEpoch: slot.epoch,
        ...(isDone || !revision ? { commandId: null } : {}),
        ...(say.problem && revision ? { problem: say.problem } : {}),
      },
    });
  }
  return slots.length;
}

async function ready(name: string): Promise<void> {
  const { buildId } = await deploy(scope, iris(name));
  await build(buildId, name);
  await settle();
  await obey();
  await settle();
  expect(await getEndpoint(scope, name)).toMatchObject({ state: "ready" });
}

const split = async (name: string) =>
  (await database().route.findFirst({ where: { endpoint: { name, deletedAt: null } } }))?.split;

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, build, artifact, event, outbox CASCADE`;
});

const boards = async () => (await listBoards(scope, { limit: 200 })).items;

describe("a deploy", () => {
  it("becomes ready only once a board has said that it serves, and then shows what a client needs", async () => {
    await addBoardServer();
    const deployed = await deploy(scope, iris("iris"));
    expect(deployed).toMatchObject({
      name: "iris",
      state: "building",
      revision: 1,
      url: "/v2/models/iris/infer",
    });
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "building",
      buildId: deployed.buildId,
    });
    const digest = await build(deployed.buildId, "a");
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "loading",
      artifactDigest: digest,
    });
    await obey({ state: "testing" });
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "testing" });
    expect(await split("iris")).toBeUndefined();
    await obey();
    await settle();
    const endpoint = await getEndpoint(scope, "iris");
    expect(endpoint).toMatchObject({
      state: "ready",
      apiVersion: "V2",
      serviceType: "boardwalk on iCEBreaker (simulated)",
      labels: ["setosa", "versicolor", "virginica"],
      proof: { vectors: 64, mismatches: 0 },
      inputs: [{ name: "input", datatype: "FP32", shape: [-1, 4] }],
      sample: {
        inputs: [
          { name: "input", shape: [1, 4], datatype: "FP32", data: [5.843, 3.057, 3.758, 1.199] },
        ],
      },
      clockHz: 12_000_000,
      reused: false,
    });
    expect(await getBoard(scope, endpoint.boardId ?? "")).toMatchObject({
      state: "serving",
      kind: "simulated",
      slots: [{ state: "serving", endpointName: "iris", artifactDigest: digest }],
    });
  });

  it("is at rest afterwards: another step changes nothing", async () => {
    await addBoardServer();
    await ready("iris");
    const events = await database().event.count();
    expect(await reconcileEndpoints()).toBe(0);
    expect(await database().event.count()).toBe(events);
  });

  it("gives each of many its own slot, with reconcilers running side by side", async () => {
    await addBoardServer({ simulatedCapacity: 6 });
    for (let i = 0; i < 8; i++)
      await build((await deploy(scope, iris(`many-${i}`))).buildId, "same");
    for (let i = 0; i < 4; i++) {
      await Promise.all([reconcileEndpoints(), reconcileEndpoints(), reconcileEndpoints()]);
      await obey();
    }
    await settle();
    const { items } = await listEndpoints(scope, { limit: 50 });
    expect(items.filter(({ state }) => state === "ready")).toHaveLength(6);
    const waiting = items.filter(({ state }) => state === "loading");
    expect(waiting.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 2 }, () => "No board server has room for another simulated iCEBreaker."),
    );
    expect(new Set(items.map(({ boardId }) => boardId).filter(Boolean)).size).toBe(6);
    expect(items.filter(({ reused }) => reused)).toHaveLength(7);

    const served = items.filter(({ state }) => state === "ready").slice(0, 2);
    for (const { name } of served) await deleteEndpoint(scope, name);
    for (let i = 0; i < 3; i++) {
      await settle();
      await obey();
    }
    await settle();
    const after = await listEndpoints(scope, { limit: 50 });
    expect(after.items.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "ready"));
  });

  it("takes one slot of a CPU board, never one that is taken (R13)", async () => {
    await addBoardServer({ cpuSlots: 2 });
    const onCpu = (name: string): NewEndpoint => ({
      ...iris(name),
      engine: "onnx",
      board: { model: "cpu", kind: "cpu" },
    });
    for (const name of ["one", "two", "three"])
      await build((await deploy(scope, onCpu(name))).buildId, name);
    await settle();
    await obey();
    await settle();
    const { items } = await listEndpoints(scope, { limit: 9 });
    expect(items.map(({ state }) => state).sort()).toEqual(["loading", "ready", "ready"]);
    const [board] = await boards();
    expect(board?.slots.map(({ endpointName }) => endpointName)).not.toContain(null);
    const [assignment] = await database().slotAssignment.findMany({ where: { releasedAt: null } });
    await expect(
      database()
        .$executeRaw`INSERT INTO slot_assignment (id, slot_id, revision_id, epoch) VALUES (gen_random_uuid(), ${assignment?.slotId}::uuid, ${assignment?.revisionId}::uuid, 9)`,
    ).rejects.toThrow(/unique|Unique/i);
  });

  it("fails with its build, and says why", async () => {
    const { buildId } = await deploy(scope, iris("iris"));
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const problem = {
      code: "resource_exhausted",
      reason: "MODEL_TOO_LARGE",
      message: "needs 41 of 30",
    } as const;
    await failBuild(bare(buildId), attempt?.epoch ?? 0, problem, "failed");
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "failed",
      reason: "needs 41 of 30",
      problem: { reason: "MODEL_TOO_LARGE" },
    });
  });

  it("tries a load that failed three times, then fails; a lasting fault at once", async () => {
    await addBoardServer();
    await build((await deploy(scope, iris("flaky"))).buildId, "a");
    const problem = { reason: "LINK_FAILED", message: "no answer" };
    for (let tries = 1; tries <= 3; tries++) {
      await settle();
      expect(await obey({ state: "unknown", problem })).toBe(1);
    }
    await settle();
    expect(await getEndpoint(scope, "flaky")).toMatchObject({
      state: "failed",
      problem: { reason: "LINK_FAILED" },
    });

    await build((await deploy(scope, iris("wrong"))).buildId, "b");
    await settle();
    await obey({ state: "unknown", problem: { reason: "SIGNATURE_INVALID", message: "not ours" } });
    await settle();
    expect(await getEndpoint(scope, "wrong")).toMatchObject({ state: "failed" });
    await obey();
    await settle();
    expect(await boards()).toEqual([]);
  });
});

describe("a further revision", () => {
  const { name: _, ...request } = iris("iris");

  it("takes over once it serves, and only then is the old one unloaded", async () => {
    await addBoardServer();
    await ready("iris");
    const before = await split("iris");
    const { buildId, revision } = await addRevision(scope, "iris", request);
    expect(revision).toBe(2);
    await build(buildId, "second");
    await settle();
    expect(await split("iris")).toEqual(before);
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "ready",
      revision: 1,
      reason: "Revision 2 is being loaded",
    });
    await obey();
    await settle();
    expect(await split("iris")).not.toEqual(before);
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "ready", revision: 2 });
    expect((await listRevisions(scope, "iris")).map(({ state }) => state)).toEqual([
      "ready",
      "retired",
    ]);
    await obey();
    await settle();
    expect(await boards()).toHaveLength(1);
  });

  it("leaves the old one answering when it fails", async () => {
    await addBoardServer();
    await ready("iris");
    const { buildId } = await addRevision(scope, "iris", request);
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    await failBuild(
      bare(buildId),
      attempt?.epoch ?? 0,
      { code: "internal", reason: "TOOL_FAILED", message: "yosys" },
      "failed",
    );
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "ready",
      revision: 1,
      reason: "Revision 2 failed: yosys",
    });
    expect(await reconcileEndpoints()).toBe(0);
  });
});

describe("when things vanish", () => {
  it("an endpoint is degraded while its server is silent, and ready again after", async () => {
    const server = await addBoardServer();
    await ready("iris");
    const heard = (at: string) =>
      database().$executeRawUnsafe(
        `UPDATE board_server SET heartbeat_at = ${at} WHERE id = '${server}'`,
      );
    await heard("now() - interval '20 seconds'");
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "degraded",
      reason: "Its board server does not answer.",
    });
    expect(await boards()).toMatchObject([{ state: "offline" }]);
    await heard("now()");
    await database().slot.updateMany({ data: { state: "serving" } });
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "ready" });
  });

  it("a board that forgot its revision is loaded again", async () => {
    await addBoardServer();
    await ready("iris");
    await database().slot.updateMany({ data: { state: "empty", reportedRevisionId: null } });
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "degraded" });
    expect(await obey()).toBe(1);
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "ready" });
  });

  it("no board at submit is said in words, and served once there is one", async () => {
    await build((await deploy(scope, iris("iris"))).buildId, "a");
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({
      state: "loading",
      reason: expect.stringMatching(/No board server/),
    });
    await addBoardServer();
    await settle();
    await obey();
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "ready" });
  });
});

describe("an endpoint whose artifact is damaged in the store", () => {
  /** What the board server says of its one slot. */
  async function report(serverId: string, said: Partial<SlotReport>): Promise<void> {
    const row = await database().slot.findFirstOrThrow({
      where: { board: { boardServerId: serverId } },
    });
    const slot = {
      slotId: toId("slt", row.id),
      slotEpoch: row.epoch,
      state: "empty" as const,
      revisionId: null,
      artifactDigest: null,
      commandId: row.commandId,
      problem: null,
    };
    const server = { address: { kind: "tcp" as const, host: "127.0.0.1", port: 1 }, boards: [] };
    await poll(
      serverId,
      { ...server, simulatedCapacity: 1, adopted: [], waitS: 0, slots: [{ ...slot, ...said }] },
      new AbortController().signal,
    );
  }
  const passTime = (seconds: number) =>
    database()
      .$executeRaw`UPDATE slot SET command_at = command_at - make_interval(secs => ${seconds})`;

  it("says so, has it made again, and serves as soon as it is whole", async () => {
    const serverId = await addBoardServer({ simulatedCapacity: 1 });
    const { buildId } = await deploy(scope, iris("iris"));
    const digest = await build(buildId, "a");
    await settle();
    const wrong = { reason: "ARTIFACT_MISMATCH", message: "The file is not what it should be." };
    // More often than a load that fails for good would be tried.
    for (let tries = 0; tries < 5; tries++) {
      await report(serverId, { problem: wrong });
      await settle();
      expect(await getEndpoint(scope, "iris")).toMatchObject({
        state: "failed",
        problem: { reason: "ARTIFACT_MISMATCH" },
        reason: expect.stringMatching(/made again/),
      });
      await passTime(600);
      await settle();
      expect(await database().slot.count({ where: { commandId: { not: null } } })).toBe(1);
    }
    expect([await repairArtifacts(), await repairArtifacts()]).toEqual([1, 0]);
    const again = await database().build.findFirstOrThrow({ where: { retryOfId: bare(buildId) } });
    expect(await build(toId("bld", again.id), "a")).toBe(digest);

    await report(serverId, { problem: wrong });
    await passTime(60);
    await settle();
    const { id } = await database().revision.findFirstOrThrow();
    await report(serverId, {
      state: "serving",
      revisionId: toId("rev", id),
      artifactDigest: digest as Digest,
    });
    await settle();
    expect(await getEndpoint(scope, "iris")).toMatchObject({ state: "ready", problem: null });
  });
});

describe("a deleted endpoint", () => {
  it("answers no more, frees name and board, and its ordinals are never used again", async () => {
    await addBoardServer();
    await ready("iris");
    await deleteEndpoint(scope, "iris");
    expect(await split("iris")).toBeUndefined();
    await expect(deploy(scope, iris("iris"))).rejects.toMatchObject({ reason: "NAME_TAKEN" });
    await settle();
    await expect(getEndpoint(scope, "iris")).rejects.toMatchObject({ reason: "ENDPOINT_UNKNOWN" });
    await obey();
    await settle();
    expect(await boards()).toEqual([]);
    expect(await deploy(scope, iris("iris"))).toMatchObject({ revision: 2 });
  });
});

describe("what cannot go together", () => {
  const odd = (change: Partial<NewEndpoint>): NewEndpoint => ({ ...iris("odd"), ...change });
  const model = (url: string) => ({ model: { url } });

  it.each<[string, NewEndpoint, string, string | undefined]>([
    ["no such engine", odd({ engine: "vhdl" }), "ENGINE_UNKNOWN", "engine"],
    [
      "no such board",
      odd({ board: { model: "nope", kind: "simulated" } }),
      "BOARD_UNKNOWN",
      "board.model",
    ],
    ["no such board id", odd({ board: { id: "brd_nope" } }), "BOARD_UNKNOWN", "board.id"],
    [
      "an FPGA that is a CPU",
      odd({ board: { model: "icebreaker", kind: "cpu" } }),
      "COMBINATION_UNSUPPORTED",
      "board.kind",
    ],
    [
      "a CPU that is simulated",
      odd({ board: { model: "cpu", kind: "simulated" } }),
      "COMBINATION_UNSUPPORTED",
      "board.kind",
    ],
    ["the ONNX engine on an FPGA", odd({ engine: "onnx" }), "COMBINATION_UNSUPPORTED", "board"],
    [
      "a cable that is not there",
      odd({ board: { model: "icebreaker", kind: "physical" } }),
      "NO_BOARD_FREE",
      "board",
    ],
    ["an option nobody knows", odd({ options: { "; rm": 1 } }), "OPTION_INVALID", "options.; rm"],
    ["a file", odd(model("file:///etc/passwd")), "URL_NOT_ALLOWED", "model.url"],
    ["plain http", odd(model("http://example.com/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    [
      "user info",
      odd(model("https://me:secret@example.com/m.onnx")),
      "URL_NOT_ALLOWED",
      "model.url",
    ],
    ["a fragment", odd(model("https://example.com/m.onnx#x")), "URL_NOT_ALLOWED", "model.url"],
    ["another port", odd(model("https://example.com:8443/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    ["a backslash", odd(model("https://example.com\\@127.0.0.1/")), "URL_NOT_ALLOWED", "model.url"],
    ["loopback", odd(model("https://127.0.0.1/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    ["loopback, short", odd(model("https://127.1/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    ["loopback, decimal", odd(model("https://2130706433/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    [
      "loopback, full width",
      odd(model("https://１２７.0.0.1/m.onnx")),
      "URL_NOT_ALLOWED",
      "model.url",
    ],
    ["metadata", odd(model("https://169.254.169.254/latest")), "URL_NOT_ALLOWED", "model.url"],
    ["IPv6 loopback", odd(model("https://[::1]/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    [
      "mapped IPv4",
      odd(model("https://[::ffff:127.0.0.1]/m.onnx")),
      "URL_NOT_ALLOWED",
      "model.url",
    ],
    ["6to4", odd(model("https://[2002:7f00:1::]/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    ["localhost by name", odd(model("https://localhost/m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    ["a trailing dot", odd(model("https://localhost./m.onnx")), "URL_NOT_ALLOWED", "model.url"],
    ["the bucket of artifacts", odd(model("s3://artifacts/abc")), "URL_NOT_ALLOWED", "model.url"],
    [
      "another project's uploads",
      odd(model("s3://uploads-00000000-0000-7000-8000-00000000beef/abc")),
      "URL_NOT_ALLOWED",
      "model.url",
    ],
    [
      "a key that climbs",
      odd(model("s3://boardwalk-samples/../artifacts/abc")),
      "URL_NOT_ALLOWED",
      "model.url",
    ],
    ["a name with capitals", { ...iris("x"), name: "Iris" }, "NAME_INVALID", "name"],
    ["a name that climbs", { ...iris("x"), name: "../x" }, "NAME_INVALID", "name"],
    ["a name of the protocol's", { ...iris("x"), name: "stats" }, "NAME_INVALID", "name"],
  ])("%s is refused, and nothing is written", async (_why, request, reason, field) => {
    await expect(deploy(scope, request)).rejects.toMatchObject({ reason, field });
    const counts = await Promise.all([
      database().endpoint.count(),
      database().build.count(),
      database().outbox.count(),
    ]);
    expect(counts).toEqual([0, 0, 0]);
  });

  it("public https and listed hosts are fine", async () => {
    await deploy(scope, { ...iris("a"), model: { url: "https://example.com/m.onnx" } });
    await deploy(
      scope,
      { ...iris("b"), model: { url: "http://127.0.0.1:9000/m.onnx" } },
      { sources: { allowedHosts: ["127.0.0.1:9000"], connections: [] } },
    );
    await deploy(scope, { ...iris("c"), model: { url: "https://[2606:4700::1]/m.onnx" } });
    expect(await database().endpoint.count()).toBe(3);
  });
});
