import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeBoard, makeFakeBoard } from "@/tests/board-server/support/fake-board";
import { makeFakeUsb } from "@/tests/board-server/support/fake-usb";
import { deploy, predict, sampleReference, until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";

// From a model file to answers of a board on a cable, through every process. The board alone is not real: a
// pseudo-terminal whose other end runs the build's own simulated shell once the fake programmer was given its bitstream.

const folder = mkdtempSync(join(tmpdir(), "bw-jpb-"));
const name = "on-a-cable";
const { input, output } = sampleReference("iris-mlp");
const usb = makeFakeUsb(join(folder, "host"));
let board: FakeBoard;
let another: FakeBoard;
let design: Uint8Array | null = null;
let installation: Installation;

beforeAll(async () => {
  mkdirSync(join(folder, "board"));
  board = await makeFakeBoard(join(folder, "board"), {
    simulation: () => design,
    clocksPerBit: 24,
  });
  const { serialPort, programmer } = board;
  const home = join(folder, "another");
  mkdirSync(home);
  another = await makeFakeBoard(home, { simulation: () => design, clocksPerBit: 24 });
  // Nobody names the programmer of an adopted board: it is the model's own, on PATH.
  symlinkSync(resolve("tests/board-server/support/fake-programmer.sh"), join(home, "iceprog"));
  const file = join(folder, "boards.json");
  writeFileSync(
    file,
    JSON.stringify({
      boards: [{ key: "bench-1", boardModel: "icebreaker", serialPort, programmer }],
    }),
  );
  installation = await startInstallation("plugged", {
    variables: {
      BOARD_SERVER_BOARDS_FILE: file,
      BOARD_SERVER_SYS_DIR: usb.host.sys,
      BOARD_SERVER_DEV_DIR: usb.host.dev,
      PATH: `${home}:${process.env["PATH"]}`,
    },
  });
}, 180_000);
afterAll(async () => {
  await installation?.stop();
  board?.unplug();
  another?.unplug();
  rmSync(folder, { recursive: true, force: true });
});

describe("a board on a cable", () => {
  it("is one of the boards, free, and its model can be had in hardware", async () => {
    const seen = await until("the board", async () => {
      const { body } = await installation.api("/boards");
      const { items } = body as { items: { kind: string; boardModel: string; state: string }[] };
      return items.find(({ kind, state }) => kind === "physical" && state === "free");
    });
    expect(seen).toMatchObject({ boardModel: "icebreaker" });
    const { body } = await installation.api("/board-models");
    const { items } = body as { items: { id: string; kinds: string[] }[] };
    expect(items.find(({ id }) => id === "icebreaker")?.kinds).toContain("physical");
  });

  it("is built for, programmed and asked, and answers as the model does", async () => {
    await deploy(installation, {
      name,
      engine: "boardwalk",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "icebreaker", kind: "physical" },
      options: { simulate: "shell", clockHz: 24_000_000 },
    });
    const digest = await until(
      "an artifact",
      async () => {
        const { body } = await installation.api(`/endpoints/${name}`);
        return (body as { artifactDigest: string | null }).artifactDigest;
      },
      240_000,
    );
    const file = `${installation.portalUrl}/api/v1/artifacts/${digest}/files/simulation-shell`;
    design = new Uint8Array(await (await fetch(file)).arrayBuffer());
    await untilReady(installation, name, 120_000);
    expect(board.calls().length).toBeGreaterThan(0);
    for (const [index, row] of input.rows.slice(0, 8).entries()) {
      const { status, values } = await predict(installation, name, { name: input.name, row });
      expect(status).toBe(200);
      const wanted = output.rows[index] ?? [];
      expect(values.indexOf(Math.max(...values))).toBe(wanted.indexOf(Math.max(...wanted)));
    }
  }, 400_000);

  it("makes its endpoint wait when the cable is pulled, and answers again by itself", async () => {
    const state = async () => {
      const { body } = await installation.api(`/endpoints/${name}`);
      return body as { state: string; reason?: string };
    };
    board.unplug();
    await until("another state, and why", async () => {
      const { state: now, reason = "" } = await state();
      return now !== "ready" && /serial line|serial port|does not answer/.test(reason);
    });
    await board.plugIn();
    await untilReady(installation, name, 60_000);
    const row = input.rows[0] ?? [];
    await until("an answer", async () => {
      const got = await predict(installation, name, { name: input.name, row });
      return got.status === 200 && got;
    });
  }, 180_000);
});

interface Seen {
  readonly serverId: string;
  readonly key: string;
  readonly boardModels: string[];
  readonly serialPort: string | null;
  readonly adoptedAs: { readonly key: string } | null;
}

describe("a board that is plugged in", () => {
  const sightings = async () =>
    ((await installation.api("/sightings")).body as { items: Seen[] }).items;
  const adopt = (seen: Seen, change: object = {}) => {
    const body = {
      serverId: seen.serverId,
      sighting: seen.key,
      boardModel: "icebreaker",
      ...change,
    };
    return installation.api("/sightings/adoptions", { method: "POST", body: JSON.stringify(body) });
  };
  const physical = async () => {
    const { body } = await installation.api("/boards");
    return (body as { items: { kind: string; name: string }[] }).items
      .filter(({ kind }) => kind === "physical")
      .map(({ name: each }) => each);
  };
  let seen: Seen;

  it("is seen, with what it may be and its line", async () => {
    const terminal = join(usb.host.dev, "ttyUSB1");
    symlinkSync(another.serialPort, terminal);
    const line = usb.addLine("usb-1BitSquared_iCEBreaker-if01", terminal);
    usb.plugIn({
      socket: "1-1",
      vendorId: "0403",
      productId: "6010",
      product: "iCEBreaker V1.0e",
      serial: "ib4Wx1",
      lines: [{ interface: 1, tty: "ttyUSB1" }],
    });
    seen = await until("a sighting", async () => (await sightings())[0] ?? false);
    expect(seen).toMatchObject({ boardModels: ["icebreaker"], serialPort: line, adoptedAs: null });
  });

  it.each([
    ["an unknown board model", { boardModel: "nope" }, 422, "BOARD_UNKNOWN"],
    [
      "a line that the server does not report",
      { serialPort: "/etc/passwd" },
      422,
      "OPTION_INVALID",
    ],
    ["a device that is not there", { sighting: "0000:0000:x" }, 404, "NOT_FOUND"],
  ])("is not adopted with %s", async (_, change, status, reason) => {
    const answer = await adopt(seen, change);
    expect(answer).toMatchObject({ status, body: { error: { reason } } });
  });

  it("is adopted once, loaded, and answers as the model does", async () => {
    expect(await adopt(seen)).toMatchObject({
      status: 201,
      body: { adoptedAs: { key: "icebreaker-1", boardModel: "icebreaker" } },
    });
    expect(await adopt(seen)).toMatchObject({ body: { error: { reason: "STATE_CONFLICT" } } });
    await until("the board", async () => (await physical()).includes("iCEBreaker icebreaker-1"));
    await deploy(installation, {
      name: "on-the-adopted",
      engine: "boardwalk",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "icebreaker", kind: "physical" },
      options: { simulate: "shell", clockHz: 24_000_000 },
    });
    await untilReady(installation, "on-the-adopted", 120_000);
    expect(another.calls().length).toBeGreaterThan(0);
    const row = input.rows[0] ?? [];
    const { status, values } = await predict(installation, "on-the-adopted", {
      name: input.name,
      row,
    });
    expect(status).toBe(200);
    const wanted = output.rows[0] ?? [];
    expect(values.indexOf(Math.max(...values))).toBe(wanted.indexOf(Math.max(...wanted)));
  }, 200_000);

  it("is given up when nothing is deployed on it, and not before", async () => {
    const { serverId, key: sighting } = seen;
    const path = `/sightings/adoptions?${new URLSearchParams({ serverId, sighting })}`;
    const giveUp = () => installation.api(path, { method: "DELETE" });
    expect(await giveUp()).toMatchObject({
      status: 409,
      body: {
        error: { reason: "STATE_CONFLICT", message: expect.stringContaining("on-the-adopted") },
      },
    });
    await installation.api("/endpoints/on-the-adopted", { method: "DELETE" });
    await until("its end", async () => (await giveUp()).status === 200, 60_000);
    await until("no board", async () => !(await physical()).includes("iCEBreaker icebreaker-1"));
    expect((await sightings())[0]).toMatchObject({ adoptedAs: null });
  }, 120_000);
});
