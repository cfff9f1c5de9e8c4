import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeBoard, makeFakeBoard } from "@/tests/board-server/support/fake-board";
import { deploy, predict, sampleReference, until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";

// From a model file to answers of a board on a cable, through every process. The board alone is not real: a
// pseudo-terminal whose other end runs the build's own simulated shell once the fake programmer was given its bitstream.

const folder = mkdtempSync(join(tmpdir(), "bw-jpb-"));
const name = "on-a-cable";
const { input, output } = sampleReference("iris-mlp");
let board: FakeBoard;
let design: Uint8Array | null = null;
let installation: Installation;

beforeAll(async () => {
  mkdirSync(join(folder, "board"));
  board = await makeFakeBoard(join(folder, "board"), {
    simulation: () => design,
    clocksPerBit: 24,
  });
  const { serialPort, programmer } = board;
  const file = join(folder, "boards.json");
  writeFileSync(
    file,
    JSON.stringify({
      boards: [{ key: "bench-1", boardModel: "icebreaker", serialPort, programmer }],
    }),
  );
  installation = await startInstallation("plugged", {
    variables: { BOARD_SERVER_BOARDS_FILE: file },
  });
}, 180_000);
afterAll(async () => {
  await installation?.stop();
  board?.unplug();
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
  }, 60_000);

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
    const lost = await until("another state", async () => {
      const seen = await state();
      return seen.state !== "ready" && seen;
    });
    expect(lost.reason).toMatch(/serial line|serial port|does not answer/);
    await board.plugIn();
    await untilReady(installation, name, 60_000);
    const row = input.rows[0] ?? [];
    await until("an answer", async () => {
      const got = await predict(installation, name, { name: input.name, row });
      return got.status === 200 && got;
    });
  }, 180_000);
});
