import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDevices, PluggedBoards, readPluggedBoards } from "@/board-server/devices";
import type { SerialBoard } from "@/board-server/devices/physical";
import { openSerialPort } from "@/board-server/devices/physical/serial-port";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import { encodeFrame, FrameDecoder, frameKinds } from "@/boards/links/uart";
import type { SlotReport } from "@/lib/common/contract";
import { bundle } from "@/scripts/bundle.mjs";
import { loadOf, makeSigner, type TestArtifact, trialArtifact } from "./support/artifacts";
import { type FakeBoard, makeFakeBoard } from "./support/fake-board";
import { type FakePortal, startFakePortal } from "./support/fake-portal";
import { inferRow } from "./support/infer";

// A real board's whole way: programmer, serial port, frames, identity, watchdog. The board alone is not real: the other end
// of a pseudo-terminal is the simulated design with its serial shell, and the programmer is a script.

const signer = makeSigner();
const baud = 115_200;
const host = { sys: "/sys", dev: "/dev" };
let artifact: TestArtifact;
let folder: string;
let portal: FakePortal;
let board: FakeBoard;
let server: BoardServer | null = null;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  artifact = await trialArtifact("shell", baud);
}, 120_000);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-pb-"));
  mkdirSync(path.join(folder, "board"));
  portal = await startFakePortal(signer);
  portal.offer(artifact);
  const simulation = [...artifact.files.values()].find(
    (bytes) => bytes[0] === 0 && bytes[1] === 0x61,
  );
  board = await makeFakeBoard(path.join(folder, "board"), {
    simulation: () => simulation ?? null,
    clocksPerBit: Math.floor((1_000_000 + baud / 2) / baud),
  });
});
afterEach(async () => {
  await server?.close();
  server = null;
  board.unplug();
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => {
  delete process.env["BOARDWALK_BUNDLES"];
});

async function start(programmer = board.programmer): Promise<void> {
  const { serialPort } = board;
  const file = path.join(folder, "boards.json");
  const plugged: SerialBoard = {
    key: "bench-1",
    boardModel: "icebreaker",
    serialPort,
    programmer,
  };
  writeFileSync(file, JSON.stringify({ boards: [plugged] }));
  const boards = new PluggedBoards(await readPluggedBoards(file, host));
  server = await startBoardServer({
    name: "test",
    portalUrl: portal.url,
    stateDir: path.join(folder, "state"),
    listen: { kind: "unix", path: path.join(folder, "s") },
    enrolCode: portal.code,
    simulatedCapacity: 0,
    cpuSlots: 0,
    plugged: boards,
    devices: createDevices({ plugged: boards }),
  });
}

const load = (key = "bench-1") => {
  const command = loadOf(artifact, signer);
  portal.command({ ...command, board: { ...command.board, key, kind: "physical" } });
};

const infer = (...row: number[]) => inferRow(path.join(folder, "s"), row);

const inState = (wanted: string) => (report: { state: string }) => report.state === wanted;
const right = [15 + 256 * 20, 25 + 256 * 30];

describe("a board on a cable", () => {
  it("is offered, programmed, asked who it is, tested, and answers", async () => {
    await start();
    await expect.poll(() => portal.polls.length).toBeGreaterThan(0);
    expect(portal.polls[0]).toMatchObject({
      boards: [{ key: "bench-1", boardModel: "icebreaker", kind: "physical", slots: 1 }],
    });
    load();
    await portal.until("slt_1", inState("serving"));
    expect(board.calls()).toHaveLength(1);
    const answer = await infer(1, 2, 3, 4, 5);
    expect(answer).toMatchObject({ status: 200, values: right });
    expect(answer.timing).toMatchObject({ clockHz: 1_000_000 });
    expect(answer.timing.simulated).toBeUndefined();
    // Sixteen test rows, an identity and a row went over the line.
    expect(board.traffic.in).toBeGreaterThan(17 * (5 + 8));
    const many = Array.from({ length: 8 }, () => [1, 2, 3, 4, 5]).flat();
    expect((await infer(...many)).values).toEqual(Array.from({ length: 8 }, () => right).flat());
  });

  it("blinks by bursts of questions on its line, and is tested again, while it serves", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    const task = (kind: "blink" | "self-test") =>
      ({ kind, id: `${kind}-1`, slotId: "slt_1", slotEpoch: 1 }) as const;
    const outcome = (id: string) =>
      portal.polls.flatMap(({ tasks }) => tasks ?? []).findLast((each) => each.id === id);
    const before = board.traffic.in;
    portal.command(task("blink"));
    await expect.poll(() => outcome("blink-1")?.state, { timeout: 30_000 }).toBe("running");
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
    await expect.poll(() => outcome("blink-1")?.state, { timeout: 20_000 }).toBe("succeeded");
    // A quiet board is asked for its name every two seconds: that would be three times.
    expect(board.traffic.in - before).toBeGreaterThan(30 * 8);
    portal.command(task("self-test"));
    await expect
      .poll(() => outcome("self-test-1"), { timeout: 30_000 })
      .toMatchObject({ state: "succeeded", rows: 16, problem: null });
    // The portal has heard it: nobody says it again.
    await expect.poll(() => portal.polls.at(-1)?.tasks).toBeUndefined();
  });

  it("lets the bytes of its line be seen and sent, and serves on, whatever they are", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    let sent = 0;
    const speak = async (bytes: Uint8Array) => {
      const id = `cal_${++sent}`;
      const to = { id, slotId: "slt_1", slotEpoch: 1 };
      portal.command({ kind: "line", ...to, bytes: Buffer.from(bytes).toString("base64") });
      const end = () =>
        portal.polls.flatMap(({ calls }) => calls ?? []).findLast((call) => call.id === id)?.state;
      await expect.poll(end, { timeout: 20_000 }).toBe("succeeded");
    };
    const passed = (toBoard: boolean) => {
      // A poll that is given up is told again.
      const chunks = new Map(
        portal.polls
          .flatMap(({ lines = [] }) => lines)
          .flatMap((line) => line.chunks)
          .filter((chunk) => chunk.toBoard === toBoard)
          .map(({ number, bytes }) => [number, Buffer.from(bytes, "base64")]),
      );
      return Buffer.concat([...chunks].sort(([a], [b]) => a - b).map(([, bytes]) => bytes));
    };
    const question = encodeFrame({
      kind: frameKinds.identityRequest,
      sequence: 9,
      payload: new Uint8Array(0),
    });
    await speak(question);
    await expect
      .poll(() => new FrameDecoder().push(passed(false)).map(({ sequence }) => sequence))
      .toEqual([9]);
    await expect.poll(() => passed(true)).toEqual(Buffer.from(question));
    // Half a frame, noise, and a break of zeros: what follows is answered all the same.
    await speak(question.subarray(0, 4));
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
    await speak(Buffer.alloc(300, 0xff));
    await speak(Buffer.alloc(300, 0));
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
    // What Boardwalk itself asks the board is not in it.
    await expect.poll(() => passed(true)).toHaveLength(question.length + 4 + 600);
  });

  it("is withdrawn when its cable is pulled, and serves again when it is back", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    board.unplug();
    const lost = await portal.until("slt_1", inState("unreachable"));
    expect(lost.problem).toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/serial line .* is gone/),
    });
    expect((await infer(1, 2, 3, 4, 5)).status).not.toBe(200);
    await board.plugIn();
    await portal.until("slt_1", inState("serving"), 30_000);
    // What it had forgotten was loaded again.
    expect(board.calls().length).toBeGreaterThanOrEqual(2);
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
  });

  it("that forgets its design is noticed without a request, and loaded again", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    board.brownOut();
    await portal.until("slt_1", inState("unreachable"), 30_000);
    await portal.until("slt_1", inState("serving"), 30_000);
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
  });

  it("whose programmer fails says its words, and is loaded when that is mended", async () => {
    writeFileSync(path.join(folder, "board/no-cable"), "");
    await start();
    load();
    await expect.poll(() => board.calls().length, { timeout: 20_000 }).toBeGreaterThan(1);
    rmSync(path.join(folder, "board/no-cable"));
    await portal.until("slt_1", inState("serving"), 30_000);
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
  });

  it("is programmed only where what it was programmed with answers, or nothing", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    board.impersonate(designOf("ee".repeat(32)));
    const isMismatch = ({ problem }: SlotReport) => problem?.reason === "DEVICE_MISMATCH";
    const lost = await portal.until("slt_1", isMismatch, 30_000);
    expect(lost).toMatchObject({ state: "unreachable" });
    await server?.close();
    await start();
    const refused = await portal.until("slt_1", (now) => now.state === "empty", 30_000);
    expect(refused.problem).toMatchObject({
      reason: "DEVICE_MISMATCH",
      message: expect.stringContaining("bench-1"),
    });
    expect(board.calls()).toHaveLength(1);
  });

  it.each([
    ["a receiver that talks by itself", () => Buffer.from("$GPGGA,123519,4807.038,N\r\n")],
    ["a modem that echoes", (bytes: Uint8Array) => bytes],
  ])(
    "is not programmed where %s answers on its line",
    async (_, say) => {
      board.impersonate(say);
      await start();
      load();
      const refused = await portal.until("slt_1", ({ problem }) => problem !== null, 30_000);
      expect(refused.problem).toMatchObject({ reason: "DEVICE_MISMATCH" });
      expect(board.calls()).toEqual([]);
    },
    60_000,
  );

  it("is nobody else's from before it is programmed until it is given up", async () => {
    const others = path.join(folder, "board/others");
    const watching = path.join(folder, "board/watching-programmer");
    const tries = `flock -n "${board.serialPort}" echo taken >> "${others}"`;
    writeFileSync(watching, `#!/bin/sh\n${tries}\nexec "${board.programmer}" "$@"\n`, {
      mode: 0o755,
    });
    const isFree = () => spawnSync("flock", ["-n", board.serialPort, "true"]).status === 0;
    expect(isFree()).toBe(true);
    await start(watching);
    load();
    await portal.until("slt_1", inState("serving"));
    expect(readFileSync(others, "utf8")).toBe("");
    expect(isFree()).toBe(false);
    await server?.close();
    server = null;
    expect(isFree()).toBe(true);
  });

  it("whose line another program has is left alone, and loaded once that is killed", async () => {
    const other = spawn("flock", ["-n", "--no-fork", board.serialPort, "cat"]);
    const isFree = () => spawnSync("flock", ["-n", board.serialPort, "true"]).status === 0;
    await expect.poll(isFree).toBe(false);
    await expect(openSerialPort(board.serialPort, baud)).rejects.toMatchObject({
      reason: "DEVICE_BUSY",
      message: expect.stringContaining(board.serialPort),
    });
    await start();
    load();
    await portal.until("slt_1", inState("loading"));
    other.kill("SIGKILL");
    await portal.until("slt_1", inState("serving"), 30_000);
    expect(board.calls()).toHaveLength(1);
    // Another slot of the same process is another program, too.
    await expect(openSerialPort(board.serialPort, baud)).rejects.toMatchObject({
      reason: "DEVICE_BUSY",
    });
  });

  it("that this server does not have is refused by name", async () => {
    await start();
    load("bench-2");
    const report = await portal.until("slt_1", ({ problem }) => problem !== null);
    expect(report.problem).toMatchObject({
      reason: "DEVICE_MISMATCH",
      message: expect.stringContaining("bench-2"),
    });
  });
});

/** A serial shell that says it was built from another plan. */
function designOf(plan: string): (bytes: Uint8Array) => Uint8Array {
  const { identityRequest, identity } = frameKinds;
  const decoder = new FrameDecoder();
  // Of protocol 1: two bytes an output, five in, four out.
  const rest = Buffer.alloc(16);
  rest.set([1, 2, 5, 0, 4]);
  const payload = Buffer.concat([Buffer.from(plan, "hex"), rest]);
  return (bytes) =>
    Buffer.concat(
      decoder
        .push(bytes)
        .filter(({ kind }) => kind === identityRequest)
        .map(({ sequence }) => encodeFrame({ kind: identity, sequence, payload })),
    );
}

describe("boards that are adopted", () => {
  const adopted = (key: string) => ({
    key,
    sighting: "0403:6010:x",
    boardModel: "icebreaker",
    serialPort: path.join(folder, "none"),
  });
  const offered = () => portal.polls.at(-1)?.boards.map(({ key }) => key);

  it("are those that a pinned key signed, and no others", async () => {
    await start();
    portal.adopt([adopted("icebreaker-1")]);
    await expect.poll(offered, { timeout: 20_000 }).toEqual(["bench-1", "icebreaker-1"]);
    const polls = portal.polls.length;
    portal.adopt([adopted("icebreaker-2")], makeSigner());
    await expect.poll(() => portal.polls.length, { timeout: 20_000 }).toBeGreaterThan(polls + 2);
    expect(offered()).toEqual(["bench-1", "icebreaker-1"]);
  });
});

describe("the file that names boards", () => {
  const read = async (content: unknown) => {
    const file = path.join(folder, "boards.json");
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(file, 0o600);
    return readPluggedBoards(file, host);
  };
  const good = { key: "a", boardModel: "icebreaker", serialPort: "/dev/ttyUSB1" };

  it.each([
    ["no JSON", "{", "OPTION_INVALID", /read as JSON/],
    ["no list", {}, "OPTION_INVALID", /boards/],
    ["a key that is no name", { boards: [{ ...good, key: "A b" }] }, "OPTION_INVALID", /key/],
    [
      "a port that is no path",
      { boards: [{ ...good, serialPort: "COM3" }] },
      "OPTION_INVALID",
      /serialPort/,
    ],
    ["two boards of one name", { boards: [good, good] }, "OPTION_INVALID", /two boards/],
    [
      "a kind that nobody knows",
      { boards: [{ ...good, kind: "pigeon" }] },
      "OPTION_INVALID",
      /no kind "pigeon".*serial/,
    ],
    ["an unknown model", { boards: [{ ...good, boardModel: "x" }] }, "BOARD_UNKNOWN", /"x"/],
    [
      "a model nobody can load",
      { boards: [{ ...good, boardModel: "cpu" }] },
      "OPTION_INVALID",
      /programmer/,
    ],
  ])("with %s is refused in words", async (_, content, reason, message) => {
    await expect(read(content)).rejects.toMatchObject({
      reason,
      message: expect.stringMatching(message),
    });
  });

  it("may hold several", async () => {
    expect(await read({ boards: [good, { ...good, key: "b" }] })).toHaveLength(2);
  });
});
