import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { xrtKind } from "@/board-server/devices/xrt";
import { bundle } from "@/scripts/bundle.mjs";
import { xclbinFile, xilinxBitstream } from "@/tests/support/bitstreams";
import { type TestArtifact, trialAxiArtifact, trialAxiDesigns } from "./support/artifacts";
import { type FakeXrt, makeFakeXrt, u50 } from "./support/fake-xrt";
import {
  inState,
  isRefused,
  makeOneBoard,
  type OneBoard,
  trialAnswer,
  trialRow,
} from "./support/one-board";

// An Alveo card's whole way: xclbin, xbutil, pyxrt, registers, reset, watchdog. XRT alone is not real: a fake xbutil writes the
// report that the real one documents, and the kernel behind a fake pyxrt is the simulated Verilog of the AXI wrapper.

let artifact: TestArtifact;
let design: Uint8Array;
let hung: Uint8Array;
let other: Uint8Array;
let host: OneBoard;
let card: FakeXrt;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  artifact = trialAxiArtifact("alveo-u50", xclbinFile());
  ({ design, hung, other } = await trialAxiDesigns());
}, 120_000);
beforeEach(async () => {
  host = await makeOneBoard("u50-1");
  card = await makeFakeXrt(host.folder);
  card.fabric.load(design);
});
afterEach(async () => {
  await host.close();
  await card.close();
});
afterAll(() => {
  delete process.env["BOARDWALK_BUNDLES"];
});

const entryOf = (extra: Readonly<Record<string, unknown>> = {}) => ({
  key: "u50-1",
  boardModel: "alveo-u50",
  kind: "xrt",
  xrt: card.xrt,
  ...extra,
});
const boardOf = (entry: unknown = entryOf()) =>
  xrtKind.read(entry, { sys: "/no-sys", dev: "/no-dev" });
const serving = () => host.until(inState("serving"));

describe("an Alveo card", () => {
  it("is offered, found by xbutil, loaded by pyxrt, tested, and answers", async () => {
    await host.start(boardOf());
    await expect.poll(() => host.portal.polls.length).toBeGreaterThan(0);
    expect(host.portal.polls[0]).toMatchObject({
      boards: [{ key: "u50-1", boardModel: "alveo-u50", kind: "physical", slots: 1 }],
    });
    host.load(artifact);
    await serving();
    expect(card.loads()).toEqual([expect.stringMatching(/^0000:65:00\.1 \//)]);
    const answer = await host.infer(...trialRow);
    expect(answer).toMatchObject({ status: 200, values: trialAnswer });
    expect(answer.timing.cycles).toBeGreaterThan(40);
    expect(answer.timing.simulated).toBeUndefined();
    const batch = Array.from({ length: 8 }, () => trialRow).flat();
    expect((await host.infer(...batch)).values).toEqual(
      Array.from({ length: 8 }, () => trialAnswer).flat(),
    );
    expect(card.calls()).toEqual([expect.stringMatching(/^examine --format JSON --output \//)]);
  });

  it("that hangs is said to, reset by xbutil, and loaded again", async () => {
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    card.fabric.load(hung);
    expect((await host.infer(...trialRow)).status).not.toBe(200);
    const lost = await host.until(inState("unreachable"));
    expect(lost.problem).toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/core hangs at row 0/),
    });
    await expect
      .poll(() => card.calls().at(-1), { timeout: 30_000 })
      .toBe("--force reset --device 0000:65:00.1");
    card.fabric.load(design);
    await serving();
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
  });

  it("that leaves its bus is withdrawn without a request, and serves again when it is back", async () => {
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    card.pull();
    const lost = await host.until(inState("unreachable"));
    expect(lost.problem).toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/No such device/),
    });
    card.plugIn();
    await serving();
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
  });

  it("whose kernel names another plan is refused", async () => {
    card.fabric.load(other);
    await host.start(boardOf());
    host.load(artifact);
    expect((await host.until(isRefused)).problem).toMatchObject({ reason: "DEVICE_MISMATCH" });
  });

  it("gets no xclbin for another card, half of one, or what is none", async () => {
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    const others = [
      [xclbinFile({ platform: "xilinx_u250_gen3x16_xdma_4_1" }), "FIRMWARE_MISMATCH"],
      [xclbinFile().subarray(0, 520), "FIRMWARE_TRUNCATED"],
      [xilinxBitstream({ part: "xcu50-fsvh2104-2-e" }), "FIRMWARE_INVALID"],
    ] as const;
    for (const [index, [bytes, reason]] of others.entries()) {
      await host.loadNext(trialAxiArtifact("alveo-u50", bytes), index + 2);
      await host.until(({ problem }) => problem?.reason === reason);
    }
    // None was given to XRT: the card has what it had.
    expect(card.loads()).toHaveLength(1);
    await host.loadNext(artifact, 5);
    await serving();
  });
});

describe("a card that cannot be loaded", () => {
  const cases: readonly (readonly [string, () => object, object])[] = [
    [
      "that is not there",
      () => {
        card.cards([]);
        return entryOf();
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/no Alveo U50.*shows no card/) },
    ],
    [
      "that is another card",
      () => {
        card.cards([{ ...u50, vbnv: "xilinx_u250_gen3x16_base_4" }]);
        return entryOf();
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/xilinx_u250_gen3x16_base_4/) },
    ],
    [
      "that is at another place",
      () => entryOf({ device: "0000:b3:00.1" }),
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/no Alveo U50 at 0000:b3:00.1/) },
    ],
    [
      "of which there are two",
      () => {
        card.cards([u50, { ...u50, bdf: "0000:b3:00.1" }]);
        return entryOf();
      },
      { reason: "DEVICE_FAILED", hint: expect.stringMatching(/u50-1 is as "device"/) },
    ],
    [
      "that is not ready",
      () => {
        card.cards([{ ...u50, is_ready: "false" }]);
        return entryOf();
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/not ready/) },
    ],
    [
      "whose driver is not loaded",
      () => {
        card.fail("ERROR: No devices found");
        return entryOf();
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/status 1: ERROR: No devices/) },
    ],
    [
      "without XRT",
      () => entryOf({ xrt: "/opt/no-xrt" }),
      { reason: "TOOL_MISSING", message: expect.stringMatching(/opt\/no-xrt\/bin\/xbutil/) },
    ],
    [
      "that leaves while it is loaded",
      () => {
        card.pull();
        return entryOf();
      },
      { reason: "LINK_FAILED", message: expect.stringMatching(/No such device/) },
    ],
  ];

  it.each(cases)("%s says so", async (_, prepare, problem) => {
    const board = boardOf(prepare());
    await expect(host.loadAlone(board, artifact)).rejects.toMatchObject(problem);
  });

  it("of two is the one that its entry names", async () => {
    card.cards([{ ...u50, bdf: "0000:b3:00.1" }, u50]);
    await host.loadAlone(boardOf(entryOf({ device: u50.bdf })), artifact);
    expect(card.loads()).toEqual([expect.stringMatching(/^0000:65:00\.1 /)]);
  });
});

describe("the entry of a card", () => {
  it.each([
    ["of a board that is no card", { boardModel: "zedboard" }, /ZedBoard is no card/],
    ["at a place that is none", { device: "65:00" }, /0000:65:00.1/],
    ["with a word that means nothing", { address: "0x0" }, /address/],
  ])("%s is refused in words", (_, change, message) => {
    expect(() => boardOf(entryOf(change))).toThrow(message);
  });
});
