import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findFpgas } from "@/board-server/devices";
import { zynqBoard } from "@/board-server/devices/zynq/zynq-kind";
import { configurationOf } from "@/boards/bitstreams";
import { bundle } from "@/scripts/bundle.mjs";
import { xilinxBitstream } from "@/tests/support/bitstreams";
import { type TestArtifact, trialAxiArtifact, trialAxiDesigns } from "./support/artifacts";
import { type FakeZynq, makeFakeZynq } from "./support/fake-zynq";
import {
  inState,
  isRefused,
  makeOneBoard,
  type OneBoard,
  trialAnswer,
  trialRow,
} from "./support/one-board";

// A Zynq's whole way: bitstream, FPGA manager, overlay, registers, watchdog. The kernel alone is not real: its folders are
// made up, it takes what the real one takes, and what it loads is the simulated Verilog of the AXI wrapper around a core.

let artifact: TestArtifact;
let design: Uint8Array;
/** It takes rows, and never answers. */
let hung: Uint8Array;
let other: Uint8Array;
let host: OneBoard;
let zynq: FakeZynq;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  artifact = trialAxiArtifact("zedboard", xilinxBitstream());
  ({ design, hung, other } = await trialAxiDesigns());
}, 120_000);
beforeEach(async () => {
  host = await makeOneBoard("zed-1");
});
afterEach(async () => {
  await host.close();
  await zynq.close();
});
afterAll(() => {
  delete process.env["BOARDWALK_BUNDLES"];
});

const makeZynq = (options: { mainline?: boolean; designOf?: () => Uint8Array | "foreign" } = {}) =>
  makeFakeZynq({ folder: host.folder, designOf: () => design, ...options });

const entryOf = (extra: Readonly<Record<string, unknown>> = {}) => ({
  key: "zed-1",
  boardModel: "zedboard",
  kind: "zynq",
  uio: "registers",
  firmwareFolder: zynq.firmwareFolder,
  python: zynq.python,
  ...extra,
});

const boardOf = (entry: unknown = entryOf()) => zynqBoard(entry, zynq, zynq.files);
const loadAlone = (entry: unknown, of = artifact) => host.loadAlone(boardOf(entry), of);
const serving = () => host.until(inState("serving"));

describe("a Zynq", () => {
  it("is offered, loaded by its FPGA manager, tested by its registers, and answers", async () => {
    zynq = await makeZynq();
    await host.start(boardOf());
    await expect.poll(() => host.portal.polls.length).toBeGreaterThan(0);
    expect(host.portal.polls[0]).toMatchObject({
      boards: [{ key: "zed-1", boardModel: "zedboard", kind: "physical", slots: 1 }],
    });
    host.load(artifact);
    await serving();
    // Byte for byte what the driver documents: no header, each word turned round, all of the FPGA.
    const configuration = configurationOf(xilinxBitstream()) ?? new Uint8Array();
    expect(zynq.loads).toEqual([{ bytes: Buffer.from(configuration).swap32(), flags: "0" }]);
    const answer = await host.infer(...trialRow);
    expect(answer).toMatchObject({ status: 200, values: trialAnswer });
    expect(answer.timing).toMatchObject({ clockHz: 1_000_000 });
    expect(answer.timing.cycles).toBeGreaterThan(40);
    expect(answer.timing.simulated).toBeUndefined();
    const batch = Array.from({ length: 8 }, () => trialRow).flat();
    const many = await host.infer(...batch);
    expect(many.values).toEqual(Array.from({ length: 8 }, () => trialAnswer).flat());
    expect(many.timing.cycles).toBeGreaterThan(8 * 40);
    expect(readdirSync(zynq.firmwareFolder)).toEqual([]);
  });

  it("takes an overlay and the clock of its design, and leaves neither an overlay nor a file", async () => {
    zynq = await makeZynq();
    const clock = path.join(host.folder, "set_rate");
    const overlay = path.join(host.folder, "zed.dtbo");
    writeFileSync(clock, "50000000");
    writeFileSync(overlay, "a node named boardwalk");
    await host.start(boardOf(entryOf({ uio: "boardwalk", clock, overlay })));
    host.load(artifact);
    await serving();
    const overlays = path.join(zynq.sys, "kernel/config/device-tree/overlays");
    expect(readdirSync(overlays)).toEqual(["boardwalk-zed-1"]);
    expect(await zynq.files.read(clock)).toBe("1000000");
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
    await host.stop();
    expect(readdirSync(overlays)).toEqual([]);
    expect(readdirSync(zynq.firmwareFolder)).toEqual([]);
  });

  it("is loaded by its overlay where the kernel takes no names, and says so without one", async () => {
    zynq = await makeZynq({ mainline: true });
    const overlay = path.join(host.folder, "zed.dtbo");
    writeFileSync(overlay, "boardwalk firmware-name=boardwalk-zed-1.bin ");
    await host.start(boardOf(entryOf({ uio: "boardwalk", overlay })));
    host.load(artifact);
    await serving();
    expect(zynq.loads).toHaveLength(1);
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
    await host.stop();
    await expect(loadAlone(entryOf())).rejects.toMatchObject({
      reason: "DEVICE_FAILED",
      hint: expect.stringMatching(/firmware-name = "boardwalk-zed-1.bin"/),
    });
  });

  it("is reached by the address of its registers, too", async () => {
    zynq = await makeZynq();
    await host.start(boardOf(entryOf({ uio: undefined, address: "0x43c00000" })));
    host.load(artifact);
    await serving();
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
  });

  it("goes on with what it has when it gets a bitstream for another part, or half of one", async () => {
    zynq = await makeZynq();
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    await host.loadNext(trialAxiArtifact("zedboard", xilinxBitstream({ part: "7z010clg400" })), 2);
    expect((await host.until(isRefused)).problem).toMatchObject({
      reason: "FIRMWARE_MISMATCH",
      message: expect.stringMatching(/7z010clg400.*ZedBoard has XC7Z020/),
    });
    await host.loadNext(trialAxiArtifact("zedboard", xilinxBitstream().subarray(0, 150)), 3);
    await host.until(({ problem }) => problem?.reason === "FIRMWARE_TRUNCATED");
    // Neither was given to the kernel: the design of before is in the FPGA, and serves again at once.
    expect(zynq.loads).toHaveLength(1);
    expect(zynq.state()).toBe("operating");
    await host.loadNext(artifact, 4);
    await serving();
    expect(readdirSync(zynq.firmwareFolder)).toEqual([]);
  });

  it("that hangs is said to, reset, and loaded again", async () => {
    zynq = await makeZynq();
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    zynq.fabric.load(hung);
    const answer = await host.infer(...trialRow);
    expect(answer.status).not.toBe(200);
    const lost = await host.until(inState("unreachable"));
    expect(lost.problem).toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/core hangs at row 0/),
    });
    await serving();
    expect(zynq.loads).toHaveLength(2);
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
  });

  it("whose design names another plan is refused", async () => {
    zynq = await makeZynq({ designOf: () => other });
    await host.start(boardOf());
    host.load(artifact);
    expect((await host.until(isRefused)).problem).toMatchObject({ reason: "DEVICE_MISMATCH" });
  });

  it("whose design has no registers there is told by what the bus answers", async () => {
    zynq = await makeZynq({ designOf: () => "foreign" });
    await expect(loadAlone(entryOf())).rejects.toMatchObject({
      reason: "LINK_FAILED",
      message: expect.stringMatching(/bus refused an access/),
      hint: expect.stringMatching(/address editor/),
    });
  });

  it("is found by its manager, with what the device tree calls the host", async () => {
    zynq = await makeZynq();
    expect(await findFpgas(zynq)).toEqual([
      { manager: "fpga0", driver: "Xilinx Zynq FPGA Manager", hostModel: "" },
    ]);
    const tree = path.join(zynq.sys, "firmware/devicetree/base");
    mkdirSync(tree, { recursive: true });
    writeFileSync(path.join(tree, "model"), "Avnet ZedBoard board\0");
    expect(await findFpgas(zynq)).toMatchObject([{ hostModel: "Avnet ZedBoard board" }]);
    expect(await findFpgas({ ...zynq, sys: "/no-sys" })).toEqual([]);
  });

  it("whose driver leaves is withdrawn, and serves again when it is back", async () => {
    zynq = await makeZynq();
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    zynq.unload();
    const lost = await host.until(inState("unreachable"));
    expect(lost.problem).toMatchObject({
      reason: "DEVICE_FAILED",
      message: expect.stringMatching(/fpga0 is gone/),
    });
    zynq.reload();
    await serving();
    expect((await host.infer(...trialRow)).values).toEqual(trialAnswer);
  });

  it("that loses its design is noticed without a request, its registers unread, and loaded again", async () => {
    zynq = await makeZynq();
    await host.start(boardOf());
    host.load(artifact);
    await serving();
    zynq.fabric.load(null);
    zynq.setState("power up");
    await host.until(inState("unreachable"));
    await serving();
    expect(zynq.loads).toHaveLength(2);
  });
});

describe("a Zynq that cannot be loaded", () => {
  const cases: readonly (readonly [string, () => Promise<unknown>, object])[] = [
    [
      "whose kernel refuses the bitstream",
      async () => {
        zynq.fails = { code: "EINVAL", state: "write init error" };
        await loadAlone(entryOf());
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/fpga0 says "write init error"/) },
    ],
    [
      "that may not be written",
      async () => {
        zynq.fails = { code: "EACCES", state: "power up" };
        await loadAlone(entryOf());
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/may not be written/) },
    ],
    [
      "that another program is loading",
      async () => {
        zynq.fails = { code: "EBUSY", state: "write" };
        await loadAlone(entryOf());
      },
      { reason: "DEVICE_BUSY" },
    ],
    [
      "whose firmware is looked for elsewhere",
      async () => {
        zynq.fails = { code: "ENOENT", state: "firmware request error" };
        await loadAlone(entryOf());
      },
      { reason: "DEVICE_FAILED", hint: expect.stringMatching(/firmwareFolder/) },
    ],
    [
      "whose FPGA ends in an error",
      async () => {
        zynq.fails = { state: "write complete error" };
        await loadAlone(entryOf());
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/fpga0: write complete error/) },
    ],
    [
      "whose FPGA never gets ready",
      async () => {
        zynq.fails = { state: "write" };
        await loadAlone(entryOf());
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/still says "write" after 10 s/) },
    ],
    [
      "without such a manager",
      () => loadAlone(entryOf({ manager: "fpga7" })),
      {
        reason: "DEVICE_FAILED",
        message: expect.stringMatching(/no FPGA manager "fpga7", but fpga0/),
      },
    ],
    [
      "without such registers",
      () => loadAlone(entryOf({ uio: "elsewhere" })),
      {
        reason: "DEVICE_FAILED",
        message: expect.stringMatching(/no UIO device named "elsewhere"/),
      },
    ],
    [
      "whose overlay is refused",
      async () => {
        const overlay = path.join(host.folder, "wrong.dtbo");
        writeFileSync(overlay, "nothing of ours");
        await loadAlone(entryOf({ overlay }));
      },
      { reason: "DEVICE_FAILED", message: expect.stringMatching(/status is "unapplied"/) },
    ],
    [
      "whose clock stays too fast",
      async () => {
        const clock = path.join(host.folder, "clocks/set_rate");
        await loadAlone(entryOf({ clock }));
      },
      {
        reason: "DEVICE_FAILED",
        message: expect.stringMatching(/clock of the fabric cannot be set/),
      },
    ],
    [
      "without Python",
      () => loadAlone(entryOf({ python: "no-such-python" })),
      { reason: "TOOL_MISSING" },
    ],
    [
      "with what is no bitstream of Vivado's",
      () => loadAlone(entryOf(), trialAxiArtifact("zedboard", Buffer.alloc(500, "no bitstream"))),
      { reason: "FIRMWARE_INVALID" },
    ],
  ];

  it.each(cases)("%s says so, and leaves nothing behind", async (_, act, problem) => {
    zynq = await makeZynq();
    await expect(act()).rejects.toMatchObject(problem);
    expect(readdirSync(zynq.firmwareFolder)).toEqual([]);
    expect(readdirSync(path.join(zynq.sys, "kernel/config/device-tree/overlays"))).toEqual([]);
    zynq.fails = null;
    await loadAlone(entryOf());
  });
});

describe("the entry of a Zynq", () => {
  it.each([
    ["without registers", { uio: undefined }, /needs "uio" or "address"/],
    ["with registers at two places", { address: "0x43c00000" }, /and not both/],
    [
      "with an address within a page",
      { uio: undefined, address: "0x43c00004" },
      /address of a page/,
    ],
    ["of a board without a processor", { boardModel: "basys3" }, /Basys 3 has no processor/],
    ["with a word that means nothing", { voltage: 3 }, /voltage/],
  ])("%s is refused in words", async (_, change, message) => {
    zynq = await makeZynq();
    expect(() => zynqBoard(entryOf(change), zynq, zynq.files)).toThrow(message);
  });
});
