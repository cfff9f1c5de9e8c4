import { beforeEach, describe, expect, it } from "vitest";
import { cancelBuild, claimBuild, failBuild, retryBuild, succeedBuild } from "@/domain/builds";
import {
  deleteEndpoint,
  getEndpoint,
  listRevisions,
  pauseEndpoint,
  reconcileEndpoints,
  resumeEndpoint,
  rollBack,
} from "@/domain/endpoints";
import { loadRoutes, setEndpointPaused } from "@/domain/routes";
import type { NewEndpoint } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { addRevision, deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

// What a person may change of an endpoint that there is: another revision, an earlier one again, a pause.

openDatabase();

const lease = { leaseS: 60, deadlineS: 600 };
const { name, ...simulated } = iris("iris");
const onCpu: NewEndpoint = { ...iris(name), engine: "onnx", board: { model: "cpu", kind: "cpu" } };

async function build(id: string, seed: string): Promise<void> {
  const attempt = await claimBuild(bare(id), "worker", lease);
  await succeedBuild(bare(id), attempt?.epoch ?? 0, { artifact: artifactOf(seed) });
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) if ((await reconcileEndpoints()) === 0) return;
}

/** One step of the board servers: each command that waits is done, or fails where `fails` names its revision. */
async function obey(fails: number | null = null): Promise<void> {
  const slots = await database().slot.findMany({ where: { commandId: { not: null } } });
  for (const { id, epoch, desiredRevisionId } of slots) {
    const revision = desiredRevisionId
      ? await database().revision.findUniqueOrThrow({ where: { id: desiredRevisionId } })
      : null;
    const serves = revision !== null && revision.ordinal !== fails;
    await database().slot.update({
      where: { id },
      data: {
        state: serves ? "serving" : revision ? "unknown" : "empty",
        reportedRevisionId: serves ? revision.id : null,
        reportedArtifactDigest: serves ? revision.artifactDigest : null,
        reportedEpoch: epoch,
        commandId: null,
        ...(revision && !serves
          ? { problem: { reason: "LINK_FAILED", message: "no answer" } }
          : {}),
      },
    });
  }
  await settle();
}

/** Deploys revision 1 and as many more, each of which takes over from the one before. */
async function deployed(revisions: number, request: NewEndpoint = iris(name)): Promise<void> {
  const { name: _, ...rest } = request;
  for (let ordinal = 1; ordinal <= revisions; ordinal++) {
    const { buildId } =
      ordinal === 1 ? await deploy(scope, request) : await addRevision(scope, name, rest);
    await build(buildId, `${ordinal}`);
    await settle();
    for (let step = 0; step < 3; step++) await obey();
    expect(await view()).toMatchObject({ state: "ready", revision: ordinal, next: null });
  }
}

const view = () => getEndpoint(scope, name);
const back = (revision?: number, ifServing?: number) =>
  rollBack(scope, name, {
    ...(revision === undefined ? {} : { revision }),
    ...(ifServing === undefined ? {} : { ifServing }),
  });
const states = async () =>
  (await listRevisions(scope, name)).map(({ ordinal, state }) => `${ordinal} ${state}`);

/** What the gateway would do with a request for the endpoint now. */
async function answers(): Promise<string> {
  const [endpoint] = (await loadRoutes()).endpoints;
  if (!endpoint || endpoint.state === "paused") return endpoint?.state ?? "unknown";
  const routed = endpoint.revisions.find(({ id }) => id === endpoint.split[0]?.revisionId);
  return routed && routed.replicas.length > 0 ? `revision ${routed.version}` : "503";
}

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, build, artifact, event, outbox CASCADE`;
});

describe("a rollback", () => {
  it("loads the revision that served before beside the one that serves, switches, and builds nothing", async () => {
    await addBoardServer();
    await deployed(2);
    const builds = await database().build.count();
    expect(await back()).toBe(1);
    await settle();
    expect(await view()).toMatchObject({
      state: "ready",
      revision: 2,
      next: 1,
      reason: "Revision 1 is being loaded",
    });
    expect(await answers()).toBe("revision 2");
    await obey();
    expect(await answers()).toBe("revision 1");
    expect(await view()).toMatchObject({ state: "ready", revision: 1, next: null });
    expect((await view()).reason).toBeUndefined();
    expect(await states()).toEqual(["2 retired", "1 ready"]);
    await obey();
    expect(await database().board.count({ where: { removedAt: null } })).toBe(1);
    expect(await database().build.count()).toBe(builds);
    expect(await reconcileEndpoints()).toBe(0);
  });

  it("is undone by rolling forward, and without a number goes to and fro", async () => {
    await addBoardServer();
    await deployed(3);
    for (const [asked, expected] of [
      [1, 1],
      [undefined, 3],
      [undefined, 1],
      [2, 2],
    ] as const) {
      expect(await back(asked)).toBe(expected);
      await settle();
      await obey();
      await obey();
      expect(await answers()).toBe(`revision ${expected}`);
    }
    const served = await listRevisions(scope, name);
    expect(
      served.toSorted((a, b) => `${b.servedAt}`.localeCompare(`${a.servedAt}`))[0],
    ).toMatchObject({
      ordinal: 2,
    });
  });

  it("goes on by itself after whoever asked for it died", async () => {
    await addBoardServer();
    await deployed(2);
    await back();
    // Nobody looks at once, and board servers lose the first command.
    await reconcileEndpoints({ limit: 0 });
    await settle();
    await database().slot.updateMany({
      where: { state: "empty" },
      data: { commandId: null, reportedEpoch: 0 },
    });
    for (let step = 0; step < 3; step++) {
      await settle();
      await obey();
    }
    expect(await answers()).toBe("revision 1");
  });

  it("to the one that serves calls off a revision that is on its way, built or not", async () => {
    await addBoardServer();
    await deployed(1);
    const second = await addRevision(scope, name, simulated);
    expect(await back(1)).toBe(1);
    await settle();
    expect(await view()).toMatchObject({ state: "ready", revision: 1, next: null });
    await build(second.buildId, "2");
    await settle();
    await obey();
    expect(await answers()).toBe("revision 1");
    expect(await states()).toEqual(["2 retired", "1 ready"]);
    // It was built for nothing, and can be asked for all the same.
    expect(await back(2)).toBe(2);
    await settle();
    await obey();
    expect(await answers()).toBe("revision 2");
  });

  it("frees the place of a revision that it overtakes while that is loaded", async () => {
    await addBoardServer({ simulatedCapacity: 2 });
    await deployed(2);
    const third = await addRevision(scope, name, simulated);
    await build(third.buildId, "3");
    await settle();
    expect(await back()).toBe(1);
    for (let step = 0; step < 4; step++) {
      await settle();
      expect(await answers()).toMatch(/^revision [12]$/);
      await obey();
    }
    expect(await answers()).toBe("revision 1");
  });

  it("of one that cannot be loaded leaves the other answering, and may be tried again", async () => {
    await addBoardServer();
    await deployed(2);
    await back();
    await settle();
    for (let step = 0; step < 4; step++) await obey(1);
    expect(await view()).toMatchObject({
      state: "ready",
      revision: 2,
      next: null,
      reason: "Revision 1 failed: no answer",
    });
    expect(await back(1)).toBe(1);
    await settle();
    await obey();
    await obey();
    expect(await answers()).toBe("revision 1");
  });

  it("keeps a pause", async () => {
    await addBoardServer();
    await deployed(2);
    await pauseEndpoint(scope, name);
    await back();
    await settle();
    await obey();
    await obey();
    expect(await answers()).toBe("paused");
    expect(await view()).toMatchObject({ state: "paused", revision: 1 });
    await resumeEndpoint(scope, name);
    expect(await answers()).toBe("revision 1");
  });

  it("says precisely why it cannot be", async () => {
    await addBoardServer();
    await expect(back()).rejects.toMatchObject({ reason: "ENDPOINT_UNKNOWN" });
    await deployed(1);
    await expect(back()).rejects.toMatchObject({
      reason: "STATE_CONFLICT",
      message: "No other revision of this endpoint served before.",
    });
    await expect(back(1)).rejects.toMatchObject({
      reason: "STATE_CONFLICT",
      message: "Revision 1 is the one that serves already.",
    });
    await expect(back(7)).rejects.toMatchObject({ reason: "REVISION_UNKNOWN", field: "revision" });
    const { buildId } = await addRevision(scope, name, simulated);
    await expect(back(2)).rejects.toMatchObject({
      reason: "STATE_CONFLICT",
      message: "Revision 2 is still being built.",
    });
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    const problem = { code: "internal", reason: "TOOL_FAILED", message: "yosys" } as const;
    await failBuild(bare(buildId), attempt?.epoch ?? 0, problem, "failed");
    await expect(back(2)).rejects.toMatchObject({
      reason: "STATE_CONFLICT",
      message: "Revision 2 failed, so there is nothing to serve.",
      hint: expect.stringContaining("Repeat its build"),
    });
    await expect(back(2, 9)).rejects.toMatchObject({
      reason: "PRECONDITION_FAILED",
      message: "Revision 1 answers by now, not revision 9.",
    });
    await deleteEndpoint(scope, name);
    await expect(back(1)).rejects.toMatchObject({
      reason: "STATE_CONFLICT",
      message: "This endpoint is being deleted.",
    });
  });

  it("of two people at once is one rollback; what both ask differs, the last one wins", async () => {
    await addBoardServer();
    await deployed(3);
    expect(await Promise.all([back(), back()])).toEqual([2, 2]);
    await Promise.all([back(1, 3), back(2, 3)]);
    await settle();
    for (let step = 0; step < 3; step++) await obey();
    const { revision } = await view();
    const [last] = await database().revision.findMany({ orderBy: { turn: "desc" }, take: 1 });
    expect(revision).toBe(last?.ordinal);
    expect(revision).toBeLessThan(3);
    await expect(back(3, 3)).rejects.toMatchObject({ reason: "PRECONDITION_FAILED" });
  });

  it("is overtaken by a revision that is added after it, and by a build that is repeated after it", async () => {
    await addBoardServer();
    await deployed(2);
    const third = await addRevision(scope, name, simulated);
    await cancelBuild(scope, third.buildId);
    await back(1);
    await settle();
    await obey();
    await obey();
    expect(await answers()).toBe("revision 1");
    await build(await retryBuild(scope, third.buildId), "3");
    await settle();
    await obey();
    await obey();
    expect(await answers()).toBe("revision 3");
  });
});

describe("where the endpoint holds every place that there is", () => {
  it("the old revision makes room for the new one, and answers again if that fails", async () => {
    await addBoardServer({ cpuSlots: 1 });
    await deployed(1, onCpu);
    const { name: _, ...request } = onCpu;
    const { buildId } = await addRevision(scope, name, request);
    await build(buildId, "2");
    await settle();
    expect(await answers()).toBe("503");
    expect(await view()).toMatchObject({ state: "degraded", next: 2 });
    await obey();
    expect((await view()).reason).toBe("Revision 2 is being loaded");
    for (let step = 0; step < 4; step++) await obey(2);
    await obey();
    expect(await answers()).toBe("revision 1");
    expect((await view()).reason).toBe("Revision 2 failed: no answer");
  });

  it("a rollback takes the place over too", async () => {
    await addBoardServer({ cpuSlots: 1 });
    await deployed(2, onCpu);
    expect(await back()).toBe(1);
    await settle();
    for (let step = 0; step < 3; step++) await obey();
    expect(await answers()).toBe("revision 1");
  });

  it("gives up one replica of several, so that no request fails", async () => {
    await addBoardServer({ cpuSlots: 2 });
    const request: NewEndpoint = { ...onCpu, serving: { replicas: 2 } };
    await deployed(1, request);
    const { name: _, ...rest } = request;
    const { buildId } = await addRevision(scope, name, rest);
    await build(buildId, "2");
    for (let step = 0; step < 5; step++) {
      await settle();
      expect(await answers()).toMatch(/^revision [12]$/);
      await obey();
    }
    expect(await answers()).toBe("revision 2");
    expect((await view()).replicas).toEqual({ serving: 2, wanted: 2 });
  });

  it("waits where another endpoint's end would make room", async () => {
    await addBoardServer({ cpuSlots: 2 });
    await deployed(1, onCpu);
    const other = await deploy(scope, { ...onCpu, name: "other" });
    await build(other.buildId, "other");
    await settle();
    await obey();
    const { name: _, ...request } = onCpu;
    const { buildId } = await addRevision(scope, name, request);
    await build(buildId, "2");
    await settle();
    await obey();
    expect(await view()).toMatchObject({
      state: "ready",
      revision: 1,
      reason: "Revision 2 waits. No slot of a CPU board is free.",
    });
    await deleteEndpoint(scope, "other");
    await settle();
    for (let step = 0; step < 3; step++) await obey();
    expect(await answers()).toBe("revision 2");
  });
});

describe("a pause", () => {
  it("keeps callers away at once and the board loaded; asking again is no error", async () => {
    await addBoardServer();
    await deployed(1);
    await pauseEndpoint(scope, name);
    await pauseEndpoint(scope, name);
    expect(await answers()).toBe("paused");
    await settle();
    expect(await view()).toMatchObject({
      state: "paused",
      paused: true,
      reason: "It keeps its board and answers nothing until it is resumed.",
    });
    expect(await database().slot.count({ where: { state: "serving" } })).toBe(1);
    await resumeEndpoint(scope, name);
    await resumeEndpoint(scope, name);
    expect(await answers()).toBe("revision 1");
    await settle();
    expect(await view()).toMatchObject({ state: "ready", paused: false });
  });

  it("is the same as unload and load of V2, whoever asks first", async () => {
    await addBoardServer();
    await deployed(1);
    expect(await setEndpointPaused(name, true)).toBe(true);
    expect(await view()).toMatchObject({ state: "paused", paused: true });
    await resumeEndpoint(scope, name);
    expect(await answers()).toBe("revision 1");
    await pauseEndpoint(scope, name);
    expect(await setEndpointPaused(name, false)).toBe(true);
    expect(await answers()).toBe("revision 1");
    expect(await setEndpointPaused("nope", true)).toBe(false);
  });

  it("holds while its board comes and goes, and for one that was never ready", async () => {
    await addBoardServer();
    const { buildId } = await deploy(scope, iris(name));
    await pauseEndpoint(scope, name);
    expect(await view()).toMatchObject({ state: "building", paused: true });
    await build(buildId, "1");
    await settle();
    await obey();
    expect(await view()).toMatchObject({ state: "paused" });
    await database().slot.updateMany({ data: { state: "empty", reportedRevisionId: null } });
    await settle();
    expect(await view()).toMatchObject({ state: "degraded", paused: true });
    expect(await answers()).toBe("paused");
    await obey();
    expect(await answers()).toBe("paused");
  });

  it("of what is not there, or soon not, is refused in words", async () => {
    await addBoardServer();
    await expect(pauseEndpoint(scope, name)).rejects.toMatchObject({ reason: "ENDPOINT_UNKNOWN" });
    await deployed(1);
    await deleteEndpoint(scope, name);
    for (const ask of [pauseEndpoint, resumeEndpoint])
      await expect(ask(scope, name)).rejects.toMatchObject({
        reason: "STATE_CONFLICT",
        message: "This endpoint is being deleted.",
        hint: expect.stringContaining("free in a moment"),
      });
    expect(await setEndpointPaused(name, true)).toBe(false);
  });

  it("of two people at once ends as one of them asked, and both are told so", async () => {
    await addBoardServer();
    await deployed(1);
    await Promise.all([pauseEndpoint(scope, name), resumeEndpoint(scope, name)]);
    await settle();
    const { paused, state } = await view();
    expect(state).toBe(paused ? "paused" : "ready");
    expect(await answers()).toBe(paused ? "paused" : "revision 1");
  });
});
