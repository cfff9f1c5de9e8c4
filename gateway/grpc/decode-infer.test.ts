import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type Random, randomFrom } from "@/compiler/random";
import { isAppError } from "@/lib/common/errors";
import { ModelInferRequestSchema } from "@/proto/inference/generated/inference_pb";
import { mutate } from "@/tests/fuzz/mutate";
import { decodeInfer } from "./decode-infer";

const message = (init: object): Uint8Array =>
  toBinary(ModelInferRequestSchema, create(ModelInferRequestSchema, init));
const float = { name: "größe", datatype: "FP32", shape: [2n, 3n] };
const seeds = [
  message({
    modelName: "matrix",
    id: "a request of some length, beyond the short strings",
    inputs: [float],
    rawInputContents: [new Uint8Array(24)],
  }),
  message({
    modelName: "matrix",
    modelVersion: "1",
    inputs: [{ ...float, contents: { fp32Contents: [1, 2, 3, 4, 5, 6] } }],
    outputs: [
      {
        name: "y",
        parameters: { classification: { parameterChoice: parameter("int64Param", 2n) } },
      },
    ],
  }),
  message({
    modelName: "echo_int64",
    inputs: [
      {
        name: "x",
        datatype: "INT64",
        shape: [4n],
        contents: { int64Contents: [1n, -1n, 2n ** 62n, 300n] },
        parameters: { note: { parameterChoice: parameter("stringParam", "naïve") } },
      },
    ],
    parameters: {
      priority: { parameterChoice: parameter("uint64Param", 2n ** 60n) },
      share: { parameterChoice: parameter("doubleParam", 0.5) },
      flag: { parameterChoice: parameter("boolParam", true) },
    },
  }),
  message({
    modelName: "echo_bytes",
    inputs: [
      {
        name: "x",
        datatype: "BYTES",
        shape: [2n],
        contents: { bytesContents: [Uint8Array.of(1, 2), new Uint8Array(0)] },
      },
      { name: "b", datatype: "BOOL", shape: [3n], contents: { boolContents: [true, false, true] } },
    ],
  }),
];

function parameter(name: string, value: unknown) {
  return { case: name, value };
}

/** What a parser of no relation to ours makes of a message; null: it is none. */
function readAlone(bytes: Uint8Array) {
  try {
    return fromBinary(ModelInferRequestSchema, bytes);
  } catch {
    return null;
  }
}

/** What we make of it; null: refused in words. */
function readHere(bytes: Uint8Array) {
  try {
    const { model, version, request } = decodeInfer(bytes);
    const parsed = request();
    if (parsed instanceof Promise) throw new TypeError("small contents are read at once");
    return { model, version, ...parsed };
  } catch (error) {
    if (isAppError(error) && error.reason !== "INTERNAL") return null;
    throw error;
  }
}

/** Bytes of protobuf that tear at a reader: wrong wire types, groups, endless varints, text that is none. */
const splinters: readonly (readonly number[])[] = [
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  [0x00, 0x00],
  [0x0b, 0x0c],
  [0x0b],
  [0x0c],
  [0x78, ...Array(11).fill(0xff), 0x01],
  [0x0a, 0x02, 0xc3, 0x28],
  [0x1a, 0x03, 0xed, 0xa0, 0x80],
  [0x08, 0x01],
  [0x0d, 0, 0, 0, 0],
  [0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f],
];

function damaged(random: Random): Uint8Array {
  const seed = seeds[random.integer(0, seeds.length - 1)] as Uint8Array;
  if (random.integer(0, 2) > 0) return mutate(seed, random);
  const at = random.integer(0, seed.length);
  const splinter = splinters[random.integer(0, splinters.length - 1)] ?? [];
  return Uint8Array.of(...seed.subarray(0, at), ...splinter, ...seed.subarray(at));
}

describe("a ModelInferRequest", () => {
  it.each(["inputs", "outputs", "rawInputContents"] as const)(
    "may have 64 %s, and not one more",
    (what) => {
      const many = (count: number) => {
        const named = Array.from({ length: count }, (_, i) => ({ name: `t${i}` }));
        const inputs = named.map((each) => ({ ...each, datatype: "FP32", shape: [1n] }));
        const raw = Array.from({ length: count }, () => new Uint8Array(4));
        const one = { inputs: inputs.slice(0, 1), rawInputContents: raw.slice(0, 1) };
        const init = {
          inputs: { inputs, rawInputContents: raw.slice(0, 64) },
          outputs: { ...one, outputs: named },
          rawInputContents: { inputs: inputs.slice(0, 64), rawInputContents: raw },
        };
        return message({ modelName: "matrix", ...init[what] });
      };
      expect(readHere(many(64))).not.toBeNull();
      expect(() => decodeInfer(many(65))).toThrow(
        expect.objectContaining({
          reason: "INFER_INVALID",
          message: expect.stringMatching(/^more than 64 (inputs|outputs|raw contents)$/),
        }),
      );
    },
  );

  it("is taken only where protobuf's own parser takes it, and read as that one reads it", () => {
    const random = randomFrom(2026);
    const wrong: string[] = [];
    let both = 0;
    for (let i = 0; i < 3000; i++) {
      const bytes = i < seeds.length ? (seeds[i] as Uint8Array) : damaged(random);
      const ours = readHere(bytes);
      if (ours === null) {
        expect(i).toBeGreaterThanOrEqual(seeds.length);
        continue;
      }
      const alone = readAlone(bytes);
      const alike =
        alone !== null &&
        alone.modelName === ours.model &&
        alone.modelVersion === ours.version &&
        alone.id === ours.id &&
        alone.inputs.length === ours.inputs.length &&
        alone.inputs.every(
          ({ name, datatype, shape }, at) =>
            name === ours.inputs[at]?.name &&
            datatype === ours.inputs[at].datatype &&
            shape.map(Number).join() === ours.inputs[at].shape.join(),
        );
      if (alike) both++;
      else wrong.push(Buffer.from(bytes).toString("hex"));
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(both).toBeGreaterThan(150);
  }, 60_000);

  it.each<[string, readonly number[]]>([
    ["text that is no UTF-8", [0x0a, 0x02, 0xc3, 0x28]],
    ["a surrogate in a text", [0x1a, 0x03, 0xed, 0xa0, 0x80]],
    ["a varint of eleven bytes in a field nobody knows", [0x78, ...Array(10).fill(0xff), 0x01]],
    ["the end of a group that never began", [0x7c]],
    ["a group that does not end", [0x7b]],
    ["a field with the number 0", [0x02, 0x00]],
    ["a name as a number", [0x08, 0x05]],
    ["a datatype as a number", [0x2a, 0x02, 0x10, 0x05]],
    ["contents that come twice", [0x2a, 0x04, 0x2a, 0x00, 0x2a, 0x00]],
    ["a parameter whose value is of another wire type", [0x22, 0x04, 0x12, 0x02, 0x0a, 0x00]],
  ])("may not hold %s", (_, tail) => {
    for (const seed of seeds) {
      expect(readHere(Uint8Array.of(...seed, ...tail))).toBeNull();
    }
  });
});
