import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDevices } from "@/board-server/devices";
import {
  type PluggedBoard,
  PluggedBoards,
  readPluggedBoards,
} from "@/board-server/devices/physical";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import {
  joinMessage,
  parseInferResponse,
  type Tensor,
  writeInferRequest,
} from "@/lib/common/tensor";
import { bundle } from "@/scripts/bundle.mjs";
import { loadOf, makeSigner, type TestArtifact, trialArtifact } from "./support/artifacts";
import { type FakeBoard, makeFakeBoard } from "./support/fake-board";
import { type FakePortal, startFakePortal } from "./support/fake-portal";

// A real board's whole way: programmer, serial port, frames, identity, watchdog. The board alone is not real: the other end
// of a pseudo-terminal is the simulated design with its serial shell, and the programmer is a script.

const signer = makeSigner();
const baud = 115_200;
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

async function start(): Promise<void> {
  const { serialPort, programmer } = board;
  const file = path.join(folder, "boards.json");
  const plugged: PluggedBoard = {
    key: "bench-1",
    boardModel: "icebreaker",
    serialPort,
    programmer,
  };
  writeFileSync(file, JSON.stringify({ boards: [plugged] }));
  const boards = new PluggedBoards(await readPluggedBoards(file));
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

async function infer(...row: number[]) {
  const dispatcher = new Agent({ connect: { socketPath: path.join(folder, "s") } });
  const input: Tensor = {
    name: "x",
    datatype: "FP32",
    shape: [row.length / 5, 5],
    data: Float32Array.from(row),
  };
  const { body, headerLength } = joinMessage(writeInferRequest("r", [[input]]));
  try {
    const answer = await request("http://localhost/slots/slt_1/infer", {
      dispatcher,
      method: "POST",
      body,
      headers: {
        "inference-header-content-length": String(headerLength),
        "x-bw-revision": "rev_1",
        "x-bw-slot-epoch": "1",
      },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const length = Number(answer.headers["inference-header-content-length"]);
    const isGood = answer.statusCode === 200;
    const [output] = isGood ? parseInferResponse(bytes, { headerLength: length }) : [];
    return {
      status: answer.statusCode,
      values: [...((output?.data as Float32Array | undefined) ?? [])],
      timing: isGood ? JSON.parse(String(answer.headers["x-bw-timing"])) : null,
    };
  } finally {
    await dispatcher.close();
  }
}

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
  }, 60_000);

  it("is withdrawn when its cable is pulled, and serves again when it is back", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    const pulledAt = performance.now();
    board.unplug();
    const lost = await portal.until("slt_1", inState("unreachable"));
    expect(performance.now() - pulledAt).toBeLessThan(1000);
    expect(lost.problem).toMatchObject({ reason: "LINK_FAILED" });
    expect((await infer(1, 2, 3, 4, 5)).status).not.toBe(200);
    await board.plugIn();
    await portal.until("slt_1", inState("serving"), 30_000);
    // What it had forgotten was loaded again.
    expect(board.calls().length).toBeGreaterThanOrEqual(2);
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
  }, 60_000);

  it("that forgets its design is noticed without a request, and loaded again", async () => {
    await start();
    load();
    await portal.until("slt_1", inState("serving"));
    board.brownOut();
    await portal.until("slt_1", inState("unreachable"), 30_000);
    await portal.until("slt_1", inState("serving"), 30_000);
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
  }, 90_000);

  it("whose programmer fails says its words, and is loaded when that is mended", async () => {
    writeFileSync(path.join(folder, "board/no-cable"), "");
    await start();
    load();
    await expect.poll(() => board.calls().length, { timeout: 20_000 }).toBeGreaterThan(1);
    rmSync(path.join(folder, "board/no-cable"));
    await portal.until("slt_1", inState("serving"), 30_000);
    expect((await infer(1, 2, 3, 4, 5)).values).toEqual(right);
  }, 60_000);

  it("that this server does not have is refused by name", async () => {
    await start();
    load("bench-2");
    const report = await portal.until("slt_1", ({ problem }) => problem !== null);
    expect(report.problem).toMatchObject({
      reason: "DEVICE_MISMATCH",
      message: expect.stringContaining("bench-2"),
    });
  }, 30_000);
});

describe("the file that names boards", () => {
  const read = async (content: unknown) => {
    const file = path.join(folder, "boards.json");
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(file, 0o600);
    return readPluggedBoards(file);
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
