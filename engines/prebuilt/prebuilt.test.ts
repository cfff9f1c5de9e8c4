import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { digestOf } from "@/lib/server/digest";
import { firmwareFiles, manifestOf } from "@/tests/support/artifact-archive";
import {
  ecp5Bitstream,
  ice40Bitstream,
  xclbinFile,
  xilinxBitstream,
} from "@/tests/support/bitstreams";
import { partsBeside } from "../bond-firmware";
import type { ParsedModel } from "../engine";
import { prebuiltEngine, readArchivedArtifact, readFirmware } from ".";

const planOf = (
  model: ParsedModel | null,
  [board, boardKind]: readonly [string, BoardKind],
  options: Record<string, unknown> = {},
  sourceName = "firmware",
) => {
  if (!model) throw new Error("no firmware");
  return prebuiltEngine.plan({
    model,
    card: null,
    sourceName,
    calibration: null,
    board: getBoardModel(board),
    boardKind,
    options,
    toolVersions: {},
    sourceDigest: digestOf("sources"),
    sha256: digestOf,
  });
};
const read = (bytes: Uint8Array, beside = {}) =>
  readFirmware({ bytes, digest: digestOf(bytes) }, beside);
const thrown = (reason: string, message: RegExp = /./) =>
  expect.objectContaining({ reason, message: expect.stringMatching(message) });

const { planDigest, clockHz, core, io } = manifestOf(firmwareFiles);
const shell = { planDigest, clockHz, core, io };
const bench = ["icebreaker", "physical"] as const;

describe("a bare bitstream", () => {
  it("is kept with what a person says of its shell", () => {
    const bytes = ice40Bitstream();
    const vectors = {
      rows: 2,
      inputs: Buffer.alloc(4).toString("base64"),
      outputs: Buffer.alloc(12).toString("base64"),
    };
    const plan = planOf(read(bytes), bench, { ...shell, vectors });
    expect(plan.manifest).toMatchObject({
      engine: "prebuilt",
      boardModel: "icebreaker",
      part: "ice40up5k-sg48",
      planDigest,
      clockHz,
      baud: 1_000_000,
      files: [
        {
          role: "bitstream",
          name: "bitstream.bin",
          digest: digestOf(bytes),
          sizeBytes: bytes.length,
        },
        { role: "vectors" },
        { role: "report" },
      ],
    });
    expect(plan.origin).toEqual({ kind: "bitstream", proof: "not verified" });
    expect([plan.steps, plan.synthesis, plan.variants, plan.vectors]).toEqual([[], [], [], []]);
    expect(planOf(read(bytes), bench, { ...shell, vectors }).digest).toBe(plan.digest);
    expect(planOf(read(bytes), bench, shell).digest).not.toBe(plan.digest);
  });

  it.each([
    ["zedboard", xilinxBitstream(), "bitstream.bit"],
    ["alveo-u50", xclbinFile(), "kernel.xclbin"],
  ])("is kept for a %s, which has registers and no serial line", (board, bytes, name) => {
    const { manifest, baud } = planOf(read(bytes), [board, "physical"], shell);
    expect(manifest).toMatchObject({ boardModel: board, files: [{ role: "bitstream", name }, {}] });
    expect([manifest?.baud, baud]).toEqual([undefined, undefined]);
  });

  it.each([
    ["another part", ecp5Bitstream(), bench, shell, "FIRMWARE_MISMATCH", /LFE5U-25F.*iCEBreaker/],
    [
      "a simulated board",
      ice40Bitstream(),
      ["icebreaker", "simulated"],
      shell,
      "FIRMWARE_UNSERVABLE",
      /No simulation/,
    ],
    ["nothing said", ice40Bitstream(), bench, {}, "FIRMWARE_UNSERVABLE", /serial or AXI shell/],
    [
      "too little said",
      ice40Bitstream(),
      bench,
      { clockHz },
      "FIRMWARE_METADATA_INVALID",
      /planDigest, core, io/,
    ],
    [
      "tensors that do not pass its port",
      ice40Bitstream(),
      bench,
      { ...shell, core: { ...core, inputBytes: 64 } },
      "FIRMWARE_METADATA_INVALID",
      /2 bytes, its core takes 64/,
    ],
    [
      "test rows that are not whole",
      ice40Bitstream(),
      bench,
      { ...shell, vectors: { rows: 3, inputs: "AAAA", outputs: "AAAA" } },
      "FIRMWARE_METADATA_INVALID",
      /whole rows/,
    ],
  ] as const)("is refused for %s", (_, bytes, board, options, reason, message) => {
    expect(() => planOf(read(bytes), board, options)).toThrow(thrown(reason, message));
  });
});

describe("an archive", () => {
  const model: ParsedModel = {
    format: "boardwalk-artifact",
    bytes: new Uint8Array(),
    digest: digestOf("archive"),
    graph: null,
    savedModel: null,
    firmware: readArchivedArtifact({
      digest: digestOf("manifest"),
      manifest: manifestOf(firmwareFiles),
      maker: { keyId: "k", publicKey: "p", signature: "s" },
      files: firmwareFiles,
    }),
  };

  it("keeps its manifest, its maker, and of its report what anybody can read", () => {
    const plan = planOf(model, bench);
    expect(plan.manifest).toEqual(manifestOf(firmwareFiles));
    expect(plan.forecast).toEqual({ resources: [], latencyCycles: 7, origin: plan.origin });
    expect(plan.origin?.maker).toEqual({ keyId: "k", publicKey: "p", signature: "s" });
    // What an installation claims to have built of a plan must not be taken for a build of that plan.
    expect(plan.digest).not.toBe(planDigest);
  });

  it("is refused for other boards, and where nothing in it is for such a board", () => {
    expect(() => planOf(model, ["icesugar", "physical"])).toThrow(
      thrown("FIRMWARE_MISMATCH", /icebreaker, not for icesugar/),
    );
    expect(() => planOf(model, ["icebreaker", "simulated"])).toThrow(
      thrown("FIRMWARE_UNSERVABLE", /No simulation comes/),
    );
    expect(() => planOf(model, bench, { clockHz: 12_000_000 })).toThrow(thrown("OPTION_INVALID"));
  });
});

describe("a BondMachine firmware", () => {
  const bit = xilinxBitstream();
  const hwh = Buffer.from('<?xml version="1.0"?><EDKSYSTEM DEVICE="7z020" PACKAGE="clg484"/>');
  const metadata = {
    board: "zedboard",
    arch: "zynq",
    n_inputs: 4,
    n_outputs: 2,
    predictor: "bondmachine",
    flavor: "axist",
    benchcore: true,
  };
  const json = (more: Record<string, unknown> = {}) =>
    Buffer.from(JSON.stringify({ ...metadata, ...more }));
  const zedboard = ["zedboard", "physical"] as const;

  it("is three files, found by either of two", () => {
    expect(partsBeside("https://host/bm.bit", bit)).toEqual(["json", "hwh"]);
    expect(partsBeside("https://host/bm.json", json())).toEqual(["bit", "hwh"]);
    expect(partsBeside("https://host/model.json", Buffer.from('{"learner": {}}'))).toEqual([]);
    expect(partsBeside("https://host/bm.bit", ecp5Bitstream())).toEqual([]);
    const byBit = planOf(read(bit, { hwh, json: json() }), zedboard);
    const byJson = planOf(read(json(), { hwh, bit }), zedboard);
    for (const { manifest, origin } of [byBit, byJson]) {
      expect(origin).toEqual({ kind: "bondmachine", proof: "not verified" });
      expect(manifest?.core).toBeUndefined();
      expect(manifest?.io.inputs).toMatchObject([{ shape: [-1, 4], size: 4 }]);
      expect(manifest?.io.outputs).toMatchObject([
        { name: "output", shape: [-1, 2], size: 2 },
        { name: "class", datatype: "INT64", shape: [-1], size: 1 },
      ]);
      expect(manifest?.files.map(({ role, digest }) => [role, digest])).toMatchObject([
        ["bitstream", digestOf(bit)],
        ["hardware-handoff", digestOf(hwh)],
        ["metadata", digestOf(json())],
        ["report", expect.anything()],
      ]);
    }
  });

  it.each([
    ["banknote", "banknote.bit"],
    ["0f8fad5b_firmware", "0f8fad5b_firmware.bit"],
    ["x;reboot", "firmware.bit"],
    ["..", "firmware.bit"],
    ["", "firmware.bit"],
  ])("keeps its name for the board's own store where that is one: %j", (sourceName, name) => {
    const { manifest } = planOf(read(bit, { hwh, json: json() }), zedboard, {}, sourceName);
    expect(manifest?.files[0]).toMatchObject({ name });
  });

  it("is for the board that its metadata names, spelt as people do", () => {
    const u50 = xilinxBitstream({ part: "xcu50-fsvh2104-2-e" });
    const named = read(u50, {
      hwh: Buffer.from("<EDKSYSTEM/>"),
      json: json({ board: "alveou50" }),
    });
    expect(planOf(named, ["alveo-u50", "physical"]).boardModel).toBe("alveo-u50");
    const model = read(bit, { hwh, json: json() });
    expect(() => planOf(model, ["pynq-z2", "physical"])).toThrow(
      thrown("FIRMWARE_MISMATCH", /zedboard, not pynq-z2/),
    );
    expect(() => planOf(model, ["zedboard", "simulated"])).toThrow(thrown("FIRMWARE_UNSERVABLE"));
    const lies = read(bit, { hwh, json: json({ board: "ebaz4205" }) });
    expect(() => planOf(lies, ["ebaz4205", "physical"])).toThrow(
      thrown("FIRMWARE_MISMATCH", /7z020clg484.*EBAZ4205/),
    );
  });

  it.each([
    ["without the board", { board: undefined }, /board/],
    ["without the inputs", { n_inputs: undefined }, /n_inputs/],
    ["without the outputs", { n_outputs: undefined }, /n_outputs/],
    ["without the predictor", { predictor: undefined }, /predictor/],
    ["with inputs as a text", { n_inputs: "4" }, /n_inputs/],
    ["with half an output", { n_outputs: 1.5 }, /n_outputs/],
    ["with no inputs", { n_inputs: 0 }, /n_inputs/],
    ["with another predictor", { predictor: "$(reboot)" }, /predictor/],
    ["with another flavour", { flavor: "pcie" }, /flavor/],
    ["with a benchcore that is a text", { benchcore: "yes" }, /benchcore/],
  ])("is refused with metadata %s", (_, more, message) => {
    for (const model of [
      () => read(json(more), { bit, hwh }),
      () => read(bit, { json: json(more), hwh }),
    ])
      expect(model).toThrow(thrown("FIRMWARE_METADATA_INVALID", message));
  });

  it.each([
    ["no bitstream", { hwh, json: json() }, "FIRMWARE_INVALID", /no \.bit/],
    ["no hand-off", { bit, json: json() }, "FIRMWARE_INVALID", /no \.hwh/],
    [
      "a page for a hand-off",
      { bit, json: json(), hwh: Buffer.from("<html>") },
      "FIRMWARE_INVALID",
      /not XML/,
    ],
    [
      "a hand-off of another chip",
      { bit, json: json(), hwh: Buffer.from('<EDKSYSTEM DEVICE="7z010"/>') },
      "FIRMWARE_MISMATCH",
      /7z010/,
    ],
    [
      "another bitstream",
      { bit: ice40Bitstream(), hwh, json: json() },
      "FIRMWARE_INVALID",
      /no Xilinx/,
    ],
    [
      "half a bitstream",
      { bit: bit.subarray(0, 120), hwh, json: json() },
      "FIRMWARE_TRUNCATED",
      /cut off/,
    ],
  ] as const)("is refused with %s", (_, { json: text, ...beside }, reason, message) => {
    expect(() => read(text, beside)).toThrow(thrown(reason, message));
  });

  it("is refused with metadata that is no JSON or too large", () => {
    const broken = Buffer.from(json().toString().slice(0, -1));
    expect(() => read(broken, { bit, hwh })).toThrow(
      thrown("FIRMWARE_METADATA_INVALID", /no JSON/),
    );
    const large = json({ dataset: "x".repeat(1 << 20) });
    expect(() => read(bit, { json: large, hwh })).toThrow(
      thrown("FIRMWARE_METADATA_INVALID", /1 MiB/),
    );
  });
});
