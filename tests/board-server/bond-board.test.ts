import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AttachedBoards, createDevices, PluggedBoards } from "@/board-server/devices";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import type { AttachedBoard, SlotReport, TrialStep } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { askSlot } from "@/tests/support/ask-slot";
import {
  type OriginalBoard,
  startOriginalBoard,
  startOther,
} from "@/tests/support/bond/original-board";
import { bondArtifact, loadOf, makeSigner } from "./support/artifacts";
import { type FakePortal, startFakePortal } from "./support/fake-portal";

// A board of BondMachine's original system at an address: every answer of it is the recorded bytes of the original.

const signer = makeSigner();
let folder: string;
let portal: FakePortal;
let board: OriginalBoard;
let server: BoardServer;
const stops: (() => Promise<void>)[] = [];

/** @param patienceMs How long a board may take for an answer: short where it gives none. */
const start = async (patienceMs = 60_000): Promise<BoardServer> => {
  const limits = { loadMs: patienceMs, predictMs: patienceMs };
  const plugged = new PluggedBoards([], new AttachedBoards(limits));
  return await startBoardServer({
    name: "test",
    portalUrl: portal.url,
    stateDir: path.join(folder, "state"),
    listen: { kind: "unix", path: path.join(folder, "s") },
    enrolCode: portal.code,
    simulatedCapacity: 0,
    cpuSlots: 0,
    plugged,
    devices: createDevices({ plugged }),
  });
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-bond-"));
  portal = await startFakePortal(signer);
  board = await startOriginalBoard();
  server = await start();
});
afterEach(async () => {
  await server.close();
  await portal.close();
  await board.stop();
  await Promise.all(stops.splice(0).map((stop) => stop()));
  rmSync(folder, { recursive: true, force: true });
});

const attachedAt = (
  address: string,
  change: Partial<AttachedBoard["trial"]> = {},
): AttachedBoard => ({
  id: `att_${address}`,
  key: "zedboard-bond-1",
  boardModel: "zedboard",
  kind: "bond-grpc",
  address,
  trial: { bitstream: "banknote", inputs: 4, arch: "zynq", ...change },
});

/** The steps of the trial once it is over. */
async function trialOf(one: AttachedBoard): Promise<readonly TrialStep[]> {
  portal.attach([one]);
  const stepsOf = () => portal.polls.at(-1)?.attached?.find(({ id }) => id === one.id)?.steps ?? [];
  const isOver = (steps: readonly TrialStep[]) =>
    steps.length > 0 &&
    (steps.every(({ state }) => state === "succeeded") ||
      steps.some(({ state }) => state === "failed"));
  await expect.poll(() => isOver(stepsOf())).toBe(true);
  return stepsOf();
}

const offered = () => portal.polls.at(-1)?.boards ?? [];

async function serve(change: Parameters<typeof bondArtifact>[0] = {}): Promise<SlotReport> {
  const artifact = bondArtifact(change);
  portal.offer(artifact);
  const command = loadOf(artifact, signer, {
    board: {
      id: "brd_1",
      key: "zedboard-bond-1",
      boardModel: "zedboard",
      kind: "physical",
      part: "xc7z020-1clg484",
    },
  });
  // An answer of the portal may be lost where a change breaks off the poll that it answers: it says it again.
  portal.command(command);
  const again = setInterval(() => portal.command(command), 500);
  const report = portal.until("slt_1", ({ commandId, state }) => {
    return commandId === command.id && ["serving", "empty"].includes(state);
  });
  return await report.finally(() => clearInterval(again));
}

async function infer(rows: readonly (readonly number[])[], slotEpoch = 1) {
  const shape = [rows.length, rows[0]?.length ?? 0];
  const data = Float32Array.from(rows.flat());
  const inputs = [{ name: "input", datatype: "FP32", shape, data } satisfies Tensor];
  const { status, error, outputs } = await askSlot(path.join(folder, "s"), inputs, { slotEpoch });
  if (error) return { status, error };
  return { status, outputs: outputs.map((output) => Array.from(output.data, Number)) };
}

describe("a board of the original system", () => {
  it("is tried by one load and one prediction, and is a board then", async () => {
    const steps = await trialOf(attachedAt(board.address));
    expect(steps).toMatchObject([
      { name: "connect", state: "succeeded" },
      { name: "load", state: "succeeded" },
      { name: "predict", state: "succeeded", message: expect.stringContaining("2 numbers") },
    ]);
    expect(board.calls).toEqual(["load banknote zynq", "predict 1x4"]);
    await expect.poll(offered).toEqual([
      {
        key: "zedboard-bond-1",
        boardModel: "zedboard",
        kind: "physical",
        slots: 1,
        loads: "bondmachine",
      },
    ]);
  });

  it.each([
    [
      "a firmware that it has not",
      { bitstream: "nothere" },
      "load",
      "DEVICE_FAILED",
      "is not correct",
    ],
    [
      "another architecture",
      { arch: "alveo" as const },
      "predict",
      "UPSTREAM_MISMATCH",
      "no probabilities",
    ],
    ["another number of inputs", { inputs: 3 }, "predict", "DEVICE_FAILED", "could not broadcast"],
  ])("is none when it is tried with %s", async (_, change, name, reason, words) => {
    const steps = await trialOf(attachedAt(board.address, change));
    expect(steps.find(({ state }) => state === "failed")).toMatchObject({
      name,
      reason,
      message: expect.stringContaining(words),
      hint: expect.any(String),
    });
    expect(offered()).toEqual([]);
  });

  it.each([
    ["is silent", "silent", "DEADLINE_EXCEEDED"],
    ["breaks off", "half", "LINK_FAILED"],
    ["speaks HTTP", "HTTP/1", "LINK_FAILED"],
  ] as const)("is none where what answers %s", async (_, kind, reason) => {
    const other = await startOther(kind);
    stops.push(other.stop);
    await server.close();
    server = await start(3_000);
    const steps = await trialOf(attachedAt(other.address));
    expect(steps[0]).toMatchObject({ name: "connect", state: "failed", reason });
    expect(steps.slice(1).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
    expect(offered()).toEqual([]);
  });

  it("is given up when the portal says so, and not because of a list that somebody else signed", async () => {
    await trialOf(attachedAt(board.address));
    await expect.poll(offered).toHaveLength(1);
    portal.attach([], makeSigner("key-2"));
    const polls = portal.polls.length;
    await expect.poll(() => portal.polls.length).toBeGreaterThan(polls + 1);
    expect(offered()).toHaveLength(1);
    portal.attach([]);
    await expect.poll(offered).toEqual([]);
  });

  it("answers tensors, with its own classes, and any number of rows", async () => {
    await trialOf(attachedAt(board.address));
    expect(await serve()).toMatchObject({ state: "serving" });
    const first = [0.39886742, 0.76609776, -0.39003127, -0.58781728];
    expect(await infer([first, [-1, 0, 0, 0]])).toEqual({
      status: 200,
      outputs: [
        [0.8212892413139343, 0.17871078848838806, 0.11920291930437088, 0.8807970285415649],
        [0, 1],
      ],
    });
    const many = await infer(Array.from({ length: 600 }, () => first));
    expect(many.outputs?.[0]).toHaveLength(1200);
    expect(board.calls.slice(-3)).toEqual(["predict 256x4", "predict 256x4", "predict 88x4"]);
  });

  it("is asked one thing at a time", async () => {
    await trialOf(attachedAt(board.address));
    await serve();
    const answers = await Promise.all(Array.from({ length: 20 }, () => infer([[1, 2, 3, 4]])));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(board.atOnce()).toBe(1);
  });

  it.each([
    ["another model's answer", "another model", "UPSTREAM_MISMATCH"],
    ["an answer without an end", "oversize", "BODY_TOO_LARGE"],
    ["another message type", "another message type", "UPSTREAM_MISMATCH"],
    ["no JSON", "no JSON", "UPSTREAM_MISMATCH"],
    ["a failure in its words", "a failure", "DEVICE_FAILED"],
  ] as const)("fails one request by %s, and serves the next", async (_, mood, reason) => {
    await trialOf(attachedAt(board.address));
    await serve();
    board.behave(mood);
    expect(await infer([[1, 2, 3, 4]])).toMatchObject({ error: { reason } });
    board.behave("recorded");
    expect(await infer([[1, 2, 3, 4]])).toMatchObject({ status: 200 });
    expect(portal.polls.at(-1)?.slots).toMatchObject([{ state: "serving" }]);
  });

  it("is unreachable while it is silent or away, and is loaded again when it is back", async () => {
    await server.close();
    server = await start(3_000);
    await trialOf(attachedAt(board.address));
    await serve();
    board.behave("silent");
    expect(await infer([[1, 2, 3, 4]])).toMatchObject({ error: { reason: "DEADLINE_EXCEEDED" } });
    await portal.until("slt_1", ({ state }) => state === "unreachable");
    board.behave("recorded");
    await portal.until("slt_1", ({ state }) => state === "serving");
    const { port } = board;
    await board.stop();
    expect(await infer([[1, 2, 3, 4]])).toMatchObject({ error: { reason: "LINK_FAILED" } });
    await portal.until("slt_1", ({ state }) => state === "unreachable");
    board = await startOriginalBoard(port);
    await portal.until("slt_1", ({ state }) => state === "serving");
    expect(board.calls).toEqual(["load banknote zynq", "predict 1x4"]);
    expect(await infer([[1, 2, 3, 4]])).toMatchObject({ status: 200 });
  });

  it("is loaded again when it has forgotten its firmware", async () => {
    await trialOf(attachedAt(board.address));
    await serve();
    board.forget();
    await portal.until("slt_1", ({ state }) => state === "unreachable");
    await portal.until("slt_1", ({ state }) => state === "serving");
    expect(board.calls.filter((call) => call.startsWith("load"))).toHaveLength(3);
  });

  it.each([
    ["a name for a shell", { name: "x;reboot" }, "ARTIFACT_MISMATCH"],
    ["a name that climbs", { name: "../../etc/passwd" }, "ARTIFACT_MISMATCH"],
    ["a name that is not in its store", { name: "nothere" }, "DEVICE_FAILED"],
    ["rows that it does not take so", { metadata: { flavor: "aximm" } }, "SELF_TEST_FAILED"],
  ])(
    "refuses a firmware with %s, and is free then",
    async (_, change, reason) => {
      await trialOf(attachedAt(board.address));
      const before = board.calls.length;
      expect(await serve(change)).toMatchObject({ state: "empty", problem: { reason } });
      if (reason === "ARTIFACT_MISMATCH") expect(board.calls).toHaveLength(before);
    },
    90_000,
  );

  it("is still attached and serves again after its server was started again", async () => {
    await trialOf(attachedAt(board.address));
    await serve();
    await server.close();
    server = await start();
    await expect.poll(async () => (await infer([[1, 2, 3, 4]])).status).toBe(200);
    expect(offered()).toHaveLength(1);
    expect(board.calls.filter((call) => call.startsWith("load"))).toHaveLength(3);
  });
});
