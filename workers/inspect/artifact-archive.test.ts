import { describe, expect, it } from "vitest";
import { canonicalJson, type FileRole, type Manifest } from "@/lib/common/contract";
import { digestOf, digestOfJson } from "@/lib/server/digest";
import { firmwareFiles, manifestOf, membersOf, someKey } from "@/tests/support/artifact-archive";
import { ice40Bitstream } from "@/tests/support/bitstreams";
import { pair } from "@/tests/support/pair";
import { tarOf } from "@/tests/support/tar-file";
import { inspectModel } from "./inspect-model";

const manifest = manifestOf(firmwareFiles);
const members = membersOf(firmwareFiles, manifest);
const inspect = (bytes: Uint8Array) => inspectModel(bytes, null);
const archived = (more: Partial<Manifest>, files = firmwareFiles) =>
  tarOf(membersOf(files, manifestOf(files, more)));
/** With another content for one member, or without it. */
const having = (name: string, content: string | Uint8Array | null) =>
  tarOf(
    members.flatMap(([each, bytes]) => {
      if (each !== name) return [[each, bytes] as const];
      return content === null ? [] : [[each, content] as const];
    }),
  );

describe("the archive of an artifact", () => {
  it("is recognised, and says what it is", async () => {
    const { inspection, firmware } = await inspect(tarOf(members));
    expect(inspection).toMatchObject({
      format: "boardwalk-artifact",
      inputs: [{ name: "x", datatype: "FP32", shape: [-1, 2] }],
      firmware: {
        kind: "archive",
        boardModel: "icebreaker",
        artifactDigest: digestOfJson(manifest),
        boardKinds: ["physical"],
      },
    });
    expect(inspection.engines.filter(({ ok }) => ok).map(({ id }) => id)).toEqual(["prebuilt"]);
    expect(firmware).toMatchObject({ kind: "archive", manifest, report: { latencyCycles: 7 } });
  });

  it("is taken with a model for a CPU, which is judged as any other", async () => {
    const cpu = { kind: "model", boardModel: "cpu", part: undefined, core: undefined } as const;
    const files = new Map<FileRole, Uint8Array>([["model", pair.model]]);
    const { inspection } = await inspect(archived(cpu, files));
    expect(inspection.firmware?.boardKinds).toEqual(["cpu"]);
    for (const [bytes, reason] of [
      [Buffer.from("\x80\x04\x95sklearn.svm", "latin1"), "ARTIFACT_INVALID"],
      [pair.model.subarray(0, pair.model.length >> 1), "MODEL_TRUNCATED"],
    ] as const) {
      const other = new Map<FileRole, Uint8Array>([["model", bytes]]);
      await expect(inspect(archived(cpu, other))).rejects.toMatchObject({ reason });
    }
  });
});

describe("an archive with odd members", () => {
  const extra = (name: string) => tarOf([...members, [name, "x"]]);
  const altered = (alter: (header: Buffer) => void) =>
    tarOf(members, (header, name) => {
      if (name === "files/report") alter(header);
    });
  it.each([
    ["that leaves the folder", extra("../../etc/cron.d/x"), "ARCHIVE_REJECTED", "parent"],
    ["with an absolute name", extra("/etc/passwd"), "ARCHIVE_REJECTED", "absolute"],
    ["with a line break in a name", extra("files/a\nb"), "ARCHIVE_REJECTED", "characters"],
    ["with a backslash in a name", extra("files\\model"), "ARCHIVE_REJECTED", "characters"],
    ["that is there twice", extra("manifest.json"), "ARCHIVE_REJECTED", "duplicate"],
    ["that is there twice, in capitals", extra("FILES/report"), "ARCHIVE_REJECTED", "duplicate"],
    [
      "that is a symbolic link",
      altered((header) => header.write("2/etc/passwd", 156)),
      "ARCHIVE_REJECTED",
      "symbolic-link",
    ],
    [
      "that is a hard link",
      altered((header) => header.write("1", 156)),
      "ARCHIVE_REJECTED",
      "hard-link",
    ],
    ["that is a device", altered((header) => header.write("3", 156)), "ARCHIVE_REJECTED", "device"],
    [
      "of 2^33 bytes, in octal",
      altered((header) => header.write("77777777777", 124)),
      "ARCHIVE_REJECTED",
      "expansion",
    ],
    [
      "of 2^33 bytes, in binary",
      altered((header) => {
        header.fill(0, 124, 136);
        header[124] = 0x80;
        header.writeUIntBE(2 ** 33, 130, 6);
      }),
      "ARCHIVE_REJECTED",
      "expansion",
    ],
  ])("is refused: one %s", async (_, bytes, reason, rule) => {
    await expect(inspect(bytes)).rejects.toMatchObject({ reason, details: { rule } });
  });

  it.each(["files/$(reboot)", "files/;rm -rf", "files/'x'", "README.md", "files/model"])(
    "is refused: one that no manifest names, %s",
    async (name) => {
      await expect(inspect(extra(name))).rejects.toMatchObject({
        reason: "ARTIFACT_INVALID",
        message: expect.stringContaining(name),
      });
    },
  );

  it("is refused wherever it is cut off", async () => {
    const whole = tarOf(members);
    for (const length of [whole.length - 1024, whole.length - 2000, 20_000, 5000, 2048]) {
      await expect(inspect(whole.subarray(0, length)), `${length}`).rejects.toMatchObject({
        reason: expect.stringMatching(/^(ARCHIVE_INVALID|ARTIFACT_INVALID|MODEL_FORMAT_UNKNOWN)$/),
      });
    }
  });
});

describe("an archive whose parts do not go together", () => {
  const signed = (name: string, change: Record<string, unknown>) =>
    having(
      name,
      canonicalJson({
        ...JSON.parse(Buffer.from(members.find(([each]) => each === name)?.[1] ?? []).toString()),
        ...change,
      }),
    );
  const other = someKey();
  it.each([
    ["without its key", having("key.json", null), "ARTIFACT_INVALID"],
    ["without a file", having("files/bitstream", null), "ARTIFACT_INVALID"],
    [
      "with a longer file",
      having("files/report", '{"resources":[],"latencyCycles":77}'),
      "ARTIFACT_INVALID",
    ],
    [
      "with another file",
      having("files/report", '{"resources":[],"latencyCycles":8}'),
      "ARTIFACT_INVALID",
    ],
    ["with a manifest that is no JSON", having("manifest.json", "{"), "ARTIFACT_INVALID"],
    ["with a manifest of 2 MiB", having("manifest.json", " ".repeat(2 << 20)), "ARTIFACT_INVALID"],
    ["with a manifest that lacks members", having("manifest.json", "{}"), "ARTIFACT_INVALID"],
    [
      "with another manifest than was signed",
      signed("manifest.json", { baud: 115_200 }),
      "ARTIFACT_SIGNATURE_INVALID",
    ],
    [
      "signed for another digest",
      signed("signature.json", { digest: digestOf("x") }),
      "ARTIFACT_SIGNATURE_INVALID",
    ],
    ["signed by nobody", signed("signature.json", { signature: "" }), "ARTIFACT_SIGNATURE_INVALID"],
    [
      "with another key",
      signed("key.json", { publicKey: other.publicKey }),
      "ARTIFACT_SIGNATURE_INVALID",
    ],
    [
      "with another key by its own name",
      signed("key.json", { publicKey: other.publicKey, keyId: other.keyId }),
      "ARTIFACT_SIGNATURE_INVALID",
    ],
    [
      "with a key that is none",
      signed("key.json", { publicKey: "AAAA" }),
      "ARTIFACT_SIGNATURE_INVALID",
    ],
  ])("is refused %s", async (_, bytes, reason) => {
    await expect(inspect(bytes)).rejects.toMatchObject({
      reason,
      hint: expect.stringContaining("Nothing of it was kept"),
    });
  });
});

describe("a manifest that is signed and lies all the same", () => {
  const [input] = manifest.io.inputs;
  const [output] = manifest.io.outputs;
  const core = { inputBytes: 2, outputBytes: 6, bytesPerOutput: 2, latencyCycles: 7 };
  const wrongName = (name: string) => ({
    files: manifest.files.map((file) => (file.role === "report" ? { ...file, name } : file)),
  });
  const smaller = new Map([
    ...firmwareFiles,
    ["bitstream", ice40Bitstream({ width: 332, height: 144 })],
  ] as const);
  const cut = new Map([
    ...firmwareFiles,
    ["bitstream", ice40Bitstream().subarray(0, 9000)],
  ] as const);
  const simulated = (...bytes: number[]) => {
    const files = new Map([...firmwareFiles, ["simulation", Uint8Array.from(bytes)]] as const);
    return archived({}, files);
  };
  const wasm = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  it("is taken with a simulation that reaches nothing", async () => {
    const { inspection } = await inspect(simulated(...wasm));
    expect(inspection.firmware?.boardKinds).toEqual(["simulated", "physical"]);
  });
  it.each([
    ["words of 16 bits", { fixedPoint: { width: 16, fraction: 8, signed: true } }, 4],
    ["floats", { float: "FP32" as const }, 8],
  ])("is taken with inputs that pass as %s, and only with as many bytes", async (_, sent, size) => {
    const given = input ? [{ ...input, fixedPoint: undefined, ...sent }] : [];
    const io = { ...manifest.io, inputs: given };
    const { inspection } = await inspect(archived({ io, core: { ...core, inputBytes: size } }));
    expect(inspection.inputs).toHaveLength(1);
    await expect(inspect(archived({ io, core }))).rejects.toMatchObject({
      reason: "ARTIFACT_INVALID",
    });
  });
  it.each([
    ["with a simulation that is none", simulated(1, 2, 3), "ARTIFACT_INVALID"],
    [
      "with a simulation that wants a function",
      simulated(...wasm, 1, 4, 1, 0x60, 0, 0, 2, 7, 1, 1, 0x61, 1, 0x62, 0, 0),
      "ARTIFACT_INVALID",
    ],
    ["of a board that is none", archived({ boardModel: "nonesuch" }), "BOARD_UNKNOWN"],
    ["of another part", archived({ part: "ice40hx1k-tq144" }), "FIRMWARE_MISMATCH"],
    ["of no part", archived({ part: undefined }), "FIRMWARE_MISMATCH"],
    [
      "of another board, whose bitstream is not for it",
      archived({ boardModel: "icestick", part: "ice40hx1k-tq144" }),
      "FIRMWARE_MISMATCH",
    ],
    ["with a bitstream of another part", archived({}, smaller), "FIRMWARE_MISMATCH"],
    ["with a bitstream that is cut off", archived({}, cut), "FIRMWARE_TRUNCATED"],
    ["of a model on an FPGA", archived({ kind: "model" }), "ARTIFACT_INVALID"],
    [
      "of a core that takes more",
      archived({ core: { ...core, inputBytes: 200 } }),
      "ARTIFACT_INVALID",
    ],
    [
      "of a core that answers less",
      archived({ core: { ...core, outputBytes: 2 } }),
      "ARTIFACT_INVALID",
    ],
    [
      "of outputs of three bytes",
      archived({ core: { ...core, bytesPerOutput: 3 } }),
      "ARTIFACT_INVALID",
    ],
    ["of no inputs", archived({ io: { ...manifest.io, inputs: [] } }), "ARTIFACT_INVALID"],
    [
      "of an input without a grid",
      archived({
        io: { ...manifest.io, inputs: input ? [{ ...input, fixedPoint: undefined }] : [] },
      }),
      "ARTIFACT_INVALID",
    ],
    [
      "of scores beyond the core's",
      archived({
        io: {
          ...manifest.io,
          outputs: output ? [{ ...output, scores: { first: 2, count: 9 } }] : [],
        },
      }),
      "ARTIFACT_INVALID",
    ],
    ["with a file name that is a path", archived(wrongName("../x")), "ARTIFACT_INVALID"],
    ["with a file name for a shell", archived(wrongName("a;reboot")), "ARTIFACT_INVALID"],
    [
      "with two files of one role",
      archived({ files: [...manifest.files, ...manifest.files] }),
      "ARTIFACT_INVALID",
    ],
    [
      "with members that nobody knows",
      tarOf(membersOf(firmwareFiles, { ...manifest, more: 1 })),
      "ARTIFACT_INVALID",
    ],
  ])("is refused: %s", async (_, bytes, reason) => {
    await expect(inspect(bytes)).rejects.toMatchObject({ reason });
  });
});
