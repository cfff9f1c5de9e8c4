import { beforeEach, describe, expect, it } from "vitest";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { deleteEndpoint, getEndpoint, reconcileEndpoints } from "@/domain/endpoints";
import { loadRoutes } from "@/domain/routes";
import type { NewEndpoint } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { addRevision, deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();

const lease = { leaseS: 60, deadlineS: 600 };
const onCpu = (replicas: number): NewEndpoint => ({
  ...iris("iris"),
  engine: "onnx",
  board: { model: "cpu", kind: "cpu" },
  serving: { replicas },
});

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) if ((await reconcileEndpoints()) === 0) return;
}

async function build(id: string, seed: string): Promise<void> {
  const attempt = await claimBuild(bare(id), "worker", lease);
  await succeedBuild(bare(id), attempt?.epoch ?? 0, { artifact: artifactOf(seed) });
  await settle();
}

/** What board servers report for commands that wait, up to so many; then the reconciler looks. */
async function obey(most = 100, problem?: { reason: string; message: string }): Promise<void> {
  const slots = await database().slot.findMany({
    where: { commandId: { not: null } },
    orderBy: { commandAt: "asc" },
    take: most,
  });
  for (const { id, epoch, desiredRevisionId } of slots) {
    const revision = desiredRevisionId
      ? await database().revision.findUniqueOrThrow({ where: { id: desiredRevisionId } })
      : null;
    const serves = revision !== null && !problem;
    await database().slot.update({
      where: { id },
      data: {
        state: revision ? (problem ? "empty" : "serving") : "empty",
        reportedRevisionId: serves ? revision.id : null,
        reportedArtifactDigest: serves ? revision.artifactDigest : null,
        reportedEpoch: epoch,
        commandId: null,
        ...(problem && revision ? { problem } : {}),
      },
    });
  }
  await settle();
}

const view = () => getEndpoint(scope, "iris");
const replicasOf = async () => (await loadRoutes()).endpoints[0]?.revisions.at(-1)?.replicas ?? [];
const assigned = () => database().slotAssignment.count({ where: { releasedAt: null } });

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, build, artifact, event, outbox CASCADE`;
});

describe("a revision with replicas", () => {
  it("is routed to each that serves, from the first on", async () => {
    await addBoardServer({ cpuSlots: 4 });
    const { buildId } = await deploy(scope, onCpu(3));
    await build(buildId, "a");
    expect(await assigned()).toBe(3);
    await obey(1);
    expect(await view()).toMatchObject({
      state: "ready",
      reason: expect.stringMatching(/^1 of 3 replicas answer/),
      replicas: { serving: 1, wanted: 3 },
    });
    expect(await replicasOf()).toHaveLength(1);
    await obey();
    const whole = await view();
    expect(whole).toMatchObject({ state: "ready", replicas: { serving: 3, wanted: 3 } });
    expect(whole.reason).toBeUndefined();
    expect(await replicasOf()).toHaveLength(3);
    expect(await reconcileEndpoints()).toBe(0);
  });

  it("is spread over board servers", async () => {
    await addBoardServer({ cpuSlots: 4 });
    await addBoardServer({ cpuSlots: 4 });
    const { buildId } = await deploy(scope, onCpu(4));
    await build(buildId, "a");
    const counts = await database().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM slot_assignment a JOIN slot l ON l.id = a.slot_id
      JOIN board b ON b.id = l.board_id GROUP BY b.board_server_id`;
    expect(counts.map(({ count }) => count)).toEqual([2, 2]);
  });

  it("serves with those that there is room for, says so, and takes room that comes", async () => {
    await addBoardServer({ cpuSlots: 1 });
    const { buildId } = await deploy(scope, onCpu(2));
    await build(buildId, "a");
    await obey();
    expect(await view()).toMatchObject({
      state: "ready",
      reason: "1 of 2 replicas answer. No slot of a CPU board is free.",
    });
    await addBoardServer({ cpuSlots: 1 });
    await settle();
    await obey();
    expect((await view()).replicas).toEqual({ serving: 2, wanted: 2 });
  });

  it("goes on with the others when one is lost, and has it back", async () => {
    await addBoardServer({ cpuSlots: 2 });
    const { buildId } = await deploy(scope, onCpu(2));
    await build(buildId, "a");
    await obey();
    const [lost] = await database().slot.findMany({ where: { state: "serving" } });
    await database().slot.update({
      where: { id: lost?.id ?? "" },
      data: { state: "empty", reportedRevisionId: null },
    });
    await settle();
    expect(await view()).toMatchObject({ state: "ready", replicas: { serving: 1, wanted: 2 } });
    expect(await replicasOf()).toHaveLength(1);
    await obey();
    expect((await view()).replicas.serving).toBe(2);
  });

  it("stays ready when one cannot be loaded", async () => {
    await addBoardServer({ cpuSlots: 2 });
    const { buildId } = await deploy(scope, onCpu(2));
    await build(buildId, "a");
    await obey(1);
    await obey(1, { reason: "SELF_TEST_FAILED", message: "It answers otherwise." });
    expect(await view()).toMatchObject({
      state: "ready",
      reason: "1 of 2 replicas answer. It answers otherwise.",
    });
  });

  it("gives up all of its slots when it is replaced or deleted", async () => {
    await addBoardServer({ cpuSlots: 8 });
    const first = await deploy(scope, onCpu(3));
    await build(first.buildId, "a");
    await obey();
    const { name: _, ...revision } = onCpu(2);
    const second = await addRevision(scope, "iris", revision);
    await build(second.buildId, "b");
    await obey();
    await obey();
    expect(await assigned()).toBe(2);
    await deleteEndpoint(scope, "iris");
    await settle();
    await obey();
    expect(await assigned()).toBe(0);
  });
});
