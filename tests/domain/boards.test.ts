import { beforeEach, describe, expect, it } from "vitest";
import { poll } from "@/domain/board-servers";
import {
  askBoard,
  countBoards,
  drainBoard,
  expireTasks,
  getAvailability,
  getBoard,
  listBoards,
  listHistory,
  noteSilence,
  reloadBoard,
  resumeBoard,
} from "@/domain/boards";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { getEndpoint, reconcileEndpoints } from "@/domain/endpoints";
import { loadRoutes } from "@/domain/routes";
import type { NewEndpoint, PollRequest, SlotReport } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { addBoardServer, artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

// Boards in the database: drained while things are on them, asked for tests, and what is kept of what happened to them.

openDatabase();

const lease = { leaseS: 60, deadlineS: 600 };
const cpu = (name: string, replicas = 1): NewEndpoint => ({
  ...iris(name),
  engine: "onnx",
  board: { model: "cpu", kind: "cpu" },
  serving: { replicas },
});

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) if ((await reconcileEndpoints()) === 0) return;
}

async function serve(request: NewEndpoint): Promise<void> {
  const { buildId } = await deploy(scope, request);
  const attempt = await claimBuild(bare(buildId), "worker", lease);
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf(request.name) });
  await settle();
  await obey();
}

/** What board servers report for commands that wait; then the reconciler looks. */
async function obey(problem?: { reason: string; message: string }): Promise<void> {
  for (let i = 0; i < 4; i++) {
    const slots = await database().slot.findMany({ where: { commandId: { not: null } } });
    if (slots.length === 0) break;
    for (const { id, epoch, desiredRevisionId } of slots) {
      const revision = desiredRevisionId
        ? await database().revision.findUniqueOrThrow({ where: { id: desiredRevisionId } })
        : null;
      const fails = revision !== null && problem !== undefined;
      await database().slot.update({
        where: { id },
        data: {
          state: revision && !fails ? "serving" : "empty",
          reportedRevisionId: fails ? null : (revision?.id ?? null),
          reportedArtifactDigest: fails ? null : (revision?.artifactDigest ?? null),
          reportedEpoch: epoch,
          commandId: null,
          ...(fails ? { problem } : {}),
        },
      });
    }
    await settle();
    if (problem) return;
  }
}

const all = async () => (await listBoards(scope, { limit: 200 })).items;
const boardOf = async (name: string) => {
  const boards = await all();
  const found = boards.filter(({ slots }) => slots.some((slot) => slot.endpointName === name));
  return found.map(({ id }) => id);
};
const replicasOf = async (name: string) =>
  (await loadRoutes()).endpoints.find((endpoint) => endpoint.name === name)?.revisions.at(-1)
    ?.replicas.length ?? 0;
const kinds = async (id: string) =>
  (await listHistory(scope, id, { limit: 50 })).items.map(({ kind }) => kind);

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, build, artifact, event, outbox CASCADE`;
});

describe("a board that is drained", () => {
  it("gets nothing new, also when its server reports again, until it is resumed", async () => {
    await addBoardServer({ cpuSlots: 2 });
    const [board] = await all();
    await drainBoard(scope, board?.id ?? "", "move");
    await serve(cpu("one"));
    expect(await boardOf("one")).toEqual([]);
    expect(await getEndpoint(scope, "one")).toMatchObject({
      state: "loading",
      reason: "No slot of a CPU board is free.",
    });
    expect((await getBoard(scope, board?.id ?? "")).waiting).toEqual([
      { endpoint: "one", revision: 1 },
    ]);
    expect((await countBoards(scope, {})).slots).toEqual({ all: 2, free: 0 });
    await resumeBoard(scope, board?.id ?? "");
    await settle();
    await obey();
    expect(await boardOf("one")).toEqual([board?.id]);
    expect((await countBoards(scope, {})).slots).toEqual({ all: 2, free: 1 });
    expect(await kinds(board?.id ?? "")).toEqual(["loaded", "resumed", "drained"]);
  });

  it("lets go of what has a replica elsewhere, and of the rest once another board serves it", async () => {
    await addBoardServer({ cpuSlots: 2 });
    await serve(cpu("one"));
    const [first] = await boardOf("one");
    await addBoardServer({ cpuSlots: 1 });
    await drainBoard(scope, first ?? "", "move");
    await settle();
    // It answers from the first until the second serves.
    expect(await replicasOf("one")).toBe(1);
    const waiting = await database().slotAssignment.count({ where: { releasedAt: null } });
    expect(waiting).toBe(2);
    await obey();
    expect(await replicasOf("one")).toBe(1);
    const [second] = await boardOf("one");
    expect(second).not.toBe(first);
    const left = await getBoard(scope, first ?? "");
    expect(left.slots.every(({ free }) => free)).toBe(true);
    expect((await getEndpoint(scope, "one")).replicas).toEqual({ serving: 1, wanted: 1 });
    expect(await kinds(first ?? "")).toEqual(["emptied", "drained", "loaded"]);
  });

  it("keeps what nothing else has room for, and says nothing is lost; room that comes is taken", async () => {
    await addBoardServer({ cpuSlots: 1 });
    await serve(cpu("one"));
    const [first] = await boardOf("one");
    await drainBoard(scope, first ?? "", "move");
    await settle();
    await obey();
    expect(await boardOf("one")).toEqual([first]);
    expect(await getEndpoint(scope, "one")).toMatchObject({ state: "ready" });
    await addBoardServer({ cpuSlots: 1 });
    await settle();
    await obey();
    expect(await boardOf("one")).not.toEqual([first]);
    expect(await replicasOf("one")).toBe(1);
  });

  it("keeps all of it where it is asked to, also after its server lost it", async () => {
    await addBoardServer({ cpuSlots: 1 });
    await serve(cpu("one"));
    await addBoardServer({ cpuSlots: 1 });
    const [first] = await boardOf("one");
    await drainBoard(scope, first ?? "", "keep");
    await settle();
    await obey();
    expect(await boardOf("one")).toEqual([first]);
    await database().slot.updateMany({
      where: { boardId: bare(first ?? "") },
      data: { state: "empty", reportedRevisionId: null },
    });
    await settle();
    await obey();
    expect(await boardOf("one")).toEqual([first]);
    expect(await replicasOf("one")).toBe(1);
  });

  it("leaves an endpoint with as many replicas as others can serve, but never with none", async () => {
    await addBoardServer({ cpuSlots: 2 });
    await addBoardServer({ cpuSlots: 2 });
    await serve(cpu("one", 4));
    expect(await replicasOf("one")).toBe(4);
    const [first, second] = await boardOf("one");
    await drainBoard(scope, first ?? "", "move");
    await settle();
    expect(await boardOf("one")).toEqual([second]);
    expect(await replicasOf("one")).toBe(2);
    await drainBoard(scope, second ?? "", "move");
    await settle();
    expect(await replicasOf("one")).toBe(2);
  });

  it("that is resumed in the middle leaves no replica too many", async () => {
    await addBoardServer({ cpuSlots: 1 });
    await serve(cpu("one"));
    const [first] = await boardOf("one");
    await addBoardServer({ cpuSlots: 1 });
    await drainBoard(scope, first ?? "", "move");
    await settle();
    await resumeBoard(scope, first ?? "");
    await settle();
    await obey();
    expect(await replicasOf("one")).toBe(1);
    expect(await database().slotAssignment.count({ where: { releasedAt: null } })).toBe(1);
  });

  it("takes no endpoint that asks for it by its id, and says why", async () => {
    await addBoardServer({ cpuSlots: 1 });
    const [board] = await all();
    await drainBoard(scope, board?.id ?? "", "move");
    const request = { ...cpu("one"), board: { id: board?.id ?? "" } };
    await expect(deploy(scope, request)).rejects.toMatchObject({
      reason: "NO_BOARD_FREE",
      message: expect.stringMatching(/drained for maintenance/),
    });
  });

  it("moves a simulated board's design to a new one", async () => {
    await addBoardServer({ simulatedCapacity: 3 });
    await serve(iris("one"));
    const [first] = await boardOf("one");
    await drainBoard(scope, first ?? "", "move");
    await settle();
    await obey();
    const [second] = await boardOf("one");
    expect(second).not.toBe(first);
    expect(await replicasOf("one")).toBe(1);
    expect((await getBoard(scope, first ?? "")).removedAt).not.toBeNull();
  });
});

/** A report of a board server that says what its slots say in the database, and more. */
async function reportOf(serverId: string, more: Partial<PollRequest> = {}): Promise<PollRequest> {
  const boards = await database().board.findMany({
    where: { boardServerId: serverId, removedAt: null },
    include: { slots: true },
  });
  return {
    address: { kind: "tcp", host: "127.0.0.1", port: 1 },
    boards: boards.map(({ key, boardModel, slots }) => ({
      key,
      boardModel,
      kind: "cpu",
      slots: slots.length,
    })),
    simulatedCapacity: 0,
    slots: boards.flatMap(({ slots }) =>
      slots.map(
        (slot): SlotReport => ({
          slotId: toId("slt", slot.id),
          slotEpoch: slot.epoch,
          state: slot.state as SlotReport["state"],
          revisionId: slot.reportedRevisionId && toId("rev", slot.reportedRevisionId),
          artifactDigest: slot.reportedArtifactDigest,
          commandId: slot.commandId,
          problem: null,
        }),
      ),
    ),
    adopted: [],
    waitS: 0,
    ...more,
  };
}

const never = new AbortController().signal;

describe("a task", () => {
  it("goes to a server that says its version, once, and its end is told and kept", async () => {
    const server = await addBoardServer({ cpuSlots: 2 });
    await serve(cpu("one"));
    const [id = ""] = await boardOf("one");
    await poll(server, await reportOf(server), never, "0.1.0");
    await askBoard(scope, id, "self-test");
    await askBoard(scope, id, "self-test");
    const { commands } = await poll(server, await reportOf(server), never, "0.1.0");
    expect(commands).toMatchObject([{ kind: "self-test", slotId: expect.stringMatching(/^slt_/) }]);
    const task = commands[0]?.id ?? "";
    const running = { id: task, state: "running" as const, problem: null };
    const next = await poll(server, await reportOf(server, { tasks: [running] }), never, "0.1.0");
    expect(next.commands).toEqual([]);
    expect((await getBoard(scope, id)).tasks).toMatchObject([{ state: "running", rows: null }]);
    const done = { id: task, state: "succeeded" as const, rows: 16, durationMs: 12, problem: null };
    await poll(server, await reportOf(server, { tasks: [done] }), never, "0.1.0");
    await poll(server, await reportOf(server, { tasks: [done] }), never, "0.1.0");
    expect((await getBoard(scope, id)).tasks).toMatchObject([
      { kind: "self-test", state: "succeeded", rows: 16, durationMs: 12, endpoint: "one" },
    ]);
    const { items } = await listHistory(scope, id, { limit: 50, part: "tests" });
    expect(items).toMatchObject([
      { kind: "tested", endpoint: "one", rows: 16 },
      { kind: "loaded", endpoint: "one", revision: 1 },
    ]);
    expect(await getAvailability(id, "24h")).toMatchObject({
      loads: { succeeded: 1, failed: 0 },
      tests: { passed: 1, failed: 0 },
    });
  });

  it("of another server is not changed by a report of it", async () => {
    const server = await addBoardServer({ cpuSlots: 1 });
    await serve(cpu("one"));
    const [id = ""] = await boardOf("one");
    await poll(server, await reportOf(server), never, "0.1.0");
    await askBoard(scope, id, "self-test");
    const [task] = await database().boardTask.findMany();
    const stranger = await addBoardServer();
    const done = { id: task?.id ?? "", state: "succeeded" as const, problem: null };
    await poll(stranger, await reportOf(stranger, { tasks: [done] }), never, "0.1.0");
    expect((await getBoard(scope, id)).tasks).toMatchObject([{ state: "waiting" }]);
  });

  it("is over when nobody did it in time", async () => {
    const server = await addBoardServer({ cpuSlots: 1 });
    await serve(cpu("one"));
    const [id = ""] = await boardOf("one");
    await poll(server, await reportOf(server), never, "0.1.0");
    await askBoard(scope, id, "self-test");
    expect(await expireTasks()).toBe(0);
    await database().$executeRaw`UPDATE board_task SET created_at = now() - interval '2 minutes'`;
    expect(await expireTasks()).toBe(1);
    expect((await getBoard(scope, id)).tasks).toMatchObject([
      { state: "failed", problem: { reason: "DEADLINE_EXCEEDED" } },
    ]);
  });

  it.each([
    ["an empty board", "self-test", "STATE_CONFLICT", async () => {}],
    ["a CPU", "blink", "BOARD_CANNOT", () => serve(cpu("one"))],
    [
      "a server of before",
      "self-test",
      "BOARD_CANNOT",
      async () => {
        await serve(cpu("one"));
        await database().boardServer.updateMany({ data: { version: null } });
      },
    ],
    [
      "a silent server",
      "self-test",
      "BOARD_OFFLINE",
      async () => {
        await database()
          .$executeRaw`UPDATE board_server SET heartbeat_at = now() - interval '1 minute'`;
      },
    ],
  ] as const)("of %s to %s is refused: %s", async (_, kind, reason, prepare) => {
    await addBoardServer({ cpuSlots: 1 });
    await database().boardServer.updateMany({ data: { version: "0.1.0" } });
    const [board] = await all();
    await prepare();
    await expect(askBoard(scope, board?.id ?? "", kind)).rejects.toMatchObject({ reason });
    const { refusals } = await getBoard(scope, board?.id ?? "");
    expect(refusals[kind === "blink" ? "blink" : "selfTest"]?.reason).toBe(reason);
  });
});

describe("the history of a board", () => {
  it("tells loads, failures, losses and returns with their endpoint; others' names are not told", async () => {
    await addBoardServer({ cpuSlots: 1 });
    const [board] = await all();
    const id = board?.id ?? "";
    const { buildId } = await deploy(scope, cpu("one"));
    const attempt = await claimBuild(bare(buildId), "worker", lease);
    await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf("one") });
    await settle();
    await obey({ reason: "LINK_FAILED", message: "It does not answer." });
    await obey();
    const data = { state: "unreachable" };
    await database().slot.updateMany({ data });
    await database().slot.updateMany({ data: { state: "serving" } });
    await reloadBoard(scope, id);
    await obey();
    const { items } = await listHistory(scope, id, { limit: 50 });
    expect(items.map(({ kind }) => kind)).toEqual([
      "loaded",
      "reloaded",
      "back",
      "lost",
      "loaded",
      "failed",
    ]);
    expect(items.at(-1)).toMatchObject({
      endpoint: "one",
      revision: 1,
      place: 0,
      problem: { reason: "LINK_FAILED", message: "It does not answer." },
    });
    expect(items[0]?.durationMs).toBeGreaterThanOrEqual(0);
    expect((await getAvailability(id, "30d")).loads).toEqual({ succeeded: 2, failed: 1 });
    await database().$executeRaw`
      UPDATE board_history SET detail = detail || '{"projectId": "00000000-0000-7000-8000-0000000000ff"}'`;
    const others = (await listHistory(scope, id, { limit: 50 })).items;
    expect(others.map(({ endpoint }) => endpoint)).toEqual(others.map(() => undefined));
  });

  it("is read page by page to its end, each line once", async () => {
    await addBoardServer({ cpuSlots: 1 });
    const [board] = await all();
    for (let n = 0; n < 12; n++) {
      await drainBoard(scope, board?.id ?? "", n % 2 === 0 ? "move" : "keep");
    }
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listHistory(scope, board?.id ?? "", { limit: 5, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toHaveLength(12);
    expect(ids).toEqual(ids.toSorted((a, b) => Number(b) - Number(a)));
  });

  it("has the states of a board one after the other, offline from the moment its silence counted", async () => {
    const server = await addBoardServer({ cpuSlots: 1 });
    await serve(cpu("one"));
    const [id = ""] = await boardOf("one");
    await poll(server, await reportOf(server), never, "0.1.0");
    await database()
      .$executeRaw`UPDATE board_server SET heartbeat_at = now() - interval '75 seconds'`;
    await database().$executeRaw`
      UPDATE board SET watched_at = now() - interval '1 hour'`;
    await database().$executeRaw`
      UPDATE board_history SET created_at = now() - interval '30 minutes'`;
    expect(await noteSilence()).toBe(1);
    expect(await noteSilence()).toBe(0);
    const { spans, heardShare } = await getAvailability(id, "24h");
    expect(spans.map(({ state }) => state)).toEqual([null, "free", "serving", "offline"]);
    const lengths = spans.map(({ from, to }) => Date.parse(to) - Date.parse(from));
    expect(lengths[3]).toBeGreaterThan(59_000);
    expect(lengths[3]).toBeLessThan(75_000);
    expect(heardShare).toBeCloseTo(1 - 60 / 3600, 2);
    for (const [index, span] of spans.entries())
      if (index > 0) expect(span.from).toBe(spans[index - 1]?.to);
    await poll(server, await reportOf(server), never, "0.1.0");
    expect((await getAvailability(id, "24h")).spans.at(-1)?.state).toBe("serving");
  });
});
