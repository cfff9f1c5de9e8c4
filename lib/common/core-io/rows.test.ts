import { describe, expect, it } from "vitest";
import type { ArtifactIo } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { decodeRows, encodeRows } from "./rows";

const core = { inputBytes: 3, outputBytes: 4, bytesPerOutput: 2, latencyCycles: 1 };
const signed = (width: number, fraction: number) => ({ width, fraction, signed: true });

const io = (
  activation: ArtifactIo["outputs"][number]["activation"],
  shape = [-1, 2],
): ArtifactIo => ({
  inputs: [
    {
      name: "a",
      datatype: "FP32",
      shape: [-1, 2],
      size: 2,
      fixedPoint: signed(8, 4),
      standardise: { mean: [1, 2], deviation: [2, 0.5] },
    },
    { name: "b", datatype: "INT32", shape: [-1, 1], size: 1, fixedPoint: signed(8, 0) },
  ],
  outputs: [
    {
      name: "y",
      datatype: activation === "argmax" ? "INT64" : "FP32",
      shape,
      size: activation === "argmax" ? 1 : 2,
      fixedPoint: signed(16, 8),
      activation,
    },
  ],
});

const inputs = (a: number[], b: number[]): Tensor[] => [
  { name: "b", datatype: "INT32", shape: [b.length, 1], data: Int32Array.from(b) },
  { name: "a", datatype: "FP32", shape: [b.length, 2], data: Float32Array.from(a) },
];

describe("rows of a core", () => {
  it("are standardised, quantised to nearest even, saturated, in the artifact's order", () => {
    const { bytes, count } = encodeRows(
      io("none"),
      core,
      inputs([1, 2, 3, 99, -99, 2.015625], [1, -1, 300]),
    );
    expect(count).toBe(3);
    // Row 2: (3−1)/2 = 1 → 16 steps; 99 saturates. Row 3: −50 saturates; 0.03125 is half a step, to even.
    expect([...new Int8Array(bytes.buffer)]).toEqual([0, 0, 1, 16, 127, -1, -128, 0, 127]);
  });

  it("count what no step of their grid is near to, and not what lies on its edge", () => {
    // The grid of `a` holds 1 + 2 × 127/16 and not half a step more; that of `b` −128 to 127.
    const clippedOf = (a: number[], b: number[]) =>
      encodeRows(io("none"), core, inputs(a, b)).clipped;
    expect(clippedOf([1, 2, 16.875, 2, -15, 2], [1, 127, -128])).toBeNull();
    expect(clippedOf([1, 2, 16.94, 99, -15.07, 2], [1, 128, -129])).toEqual([0, 3, 2]);
  });

  it("count on a quantised model's own grid too", () => {
    const quantise = { scale: 0.5, min: 0, max: 15, offset: 8 };
    const [first, second] = io("none").inputs;
    const own = { ...io("none"), inputs: [{ ...first!, quantise }, second!] };
    const { bytes, clipped } = encodeRows(own, core, inputs([7.5, 0, 8, -1], [0, 0]));
    expect([...new Int8Array(bytes.buffer)]).toEqual([7, -8, 0, 7, -8, 0]);
    expect(clipped).toEqual([0, 2]);
  });

  it("are refused when they are not whole or not alike", () => {
    for (const [a, b] of [
      [[1, 2, 3], [1]],
      [
        [1, 2],
        [1, 2],
      ],
    ] as const) {
      expect(() => encodeRows(io("none"), core, inputs([...a], [...b]))).toThrow(
        expect.objectContaining({ reason: "INFER_INVALID" }),
      );
    }
    expect(() => encodeRows(io("none"), core, [])).toThrow(
      expect.objectContaining({ reason: "INFER_INVALID" }),
    );
  });

  const scores = new Uint8Array(Int16Array.of(256, -128, -256, 256).buffer);

  it("come back as reals", () => {
    const [y] = decodeRows(io("none"), core, scores, 2);
    expect(y).toMatchObject({ name: "y", datatype: "FP32", shape: [2, 2] });
    expect([...(y!.data as Float32Array)]).toEqual([1, -0.5, -1, 1]);
  });

  it("come back as probabilities of each row", () => {
    const [y] = decodeRows(io("softmax"), core, scores, 2);
    const [p, q, r, s] = y!.data as Float32Array;
    expect(p).toBeCloseTo(1 / (1 + Math.exp(-1.5)), 6);
    expect((p ?? 0) + (q ?? 0)).toBeCloseTo(1, 6);
    expect((s ?? 0) / (r ?? 1)).toBeCloseTo(Math.exp(2), 4);
  });

  it.each([{ shape: [-1] }, { shape: [-1, 1] }])(
    "come back as the best class, $shape",
    ({ shape }) => {
      const [y] = decodeRows(io("argmax", shape), core, scores, 2);
      expect(y).toEqual({
        name: "y",
        datatype: "INT64",
        shape: [2, ...shape.slice(1)],
        data: BigInt64Array.of(0n, 1n),
      });
    },
  );
});

describe("rows of a core with words of its own", () => {
  const edge = (shape: object) => ({
    name: "a",
    datatype: "FP32" as const,
    shape: [-1, 2],
    size: 2,
    ...shape,
  });
  const rows = (data: number[]): Tensor[] => [
    { name: "a", datatype: "FP32", shape: [data.length / 2, 2], data: Float32Array.from(data) },
  ];
  const ioOf = (shape: object): ArtifactIo => ({
    inputs: [edge(shape)],
    outputs: [{ ...edge(shape), name: "y", activation: "none" }],
  });
  const port = (bytes: number) => ({
    inputBytes: 2 * bytes,
    outputBytes: 2 * bytes,
    bytesPerOutput: bytes,
    latencyCycles: 1,
  });

  it.each([
    { width: 16, fraction: 8, sent: [0x80, 0x01, 0x40, 0xff], most: [0xff, 0x7f, 0x00, 0x80] },
    {
      width: 32,
      fraction: 16,
      sent: [0x00, 0x80, 0x01, 0x00, 0x00, 0x40, 0xff, 0xff],
      most: [0xff, 0xff, 0xff, 0x7f, 0x00, 0x00, 0x00, 0x80],
    },
  ])("pass as $width bits, the low byte first, and saturate", ({ width, fraction, sent, most }) => {
    const io = ioOf({ fixedPoint: { width, fraction, signed: true } });
    const core = port(width / 8);
    const { bytes, clipped } = encodeRows(io, core, rows([1.5, -0.75, 1e9, -1e9]));
    expect([...bytes]).toEqual([...sent, ...most]);
    expect(clipped).toEqual([0, 2]);
    const [y] = decodeRows(io, core, Uint8Array.from(sent), 1);
    expect([...(y!.data as Float32Array)]).toEqual([1.5, -0.75]);
  });

  it.each([
    { float: "FP16", sent: [0x00, 0x3e, 0x00, 0xba] },
    { float: "FP32", sent: [0x00, 0x00, 0xc0, 0x3f, 0x00, 0x00, 0x40, 0xbf] },
  ])("pass as the bits of $float", ({ float, sent }) => {
    const io = ioOf({ float });
    const core = port(sent.length / 2);
    expect([...encodeRows(io, core, rows([1.5, -0.75])).bytes]).toEqual(sent);
    const [y] = decodeRows(io, core, Uint8Array.from(sent), 1);
    expect([...(y!.data as Float32Array)]).toEqual([1.5, -0.75]);
  });
});

describe("rows of a core of trees", () => {
  const ranked: ArtifactIo = {
    inputs: [
      {
        name: "a",
        datatype: "FP32",
        shape: [-1, 3],
        size: 3,
        ranks: [
          { thresholds: [0, 0.5], missing: true },
          { thresholds: [], missing: false },
          { thresholds: Array.from({ length: 300 }, (_, index) => index), missing: false },
        ],
      },
    ],
    outputs: [
      {
        name: "label",
        datatype: "INT64",
        shape: [-1],
        size: 1,
        fixedPoint: signed(32, 8),
        activation: "argmax",
        scores: { first: 0, count: 2 },
        classes: [7, 9],
      },
      {
        name: "p",
        datatype: "FP32",
        shape: [-1, 2],
        size: 2,
        fixedPoint: signed(32, 8),
        activation: "sigmoid",
        scores: { first: 0, count: 2 },
      },
    ],
  };
  const wide = { inputBytes: 3, outputBytes: 8, bytesPerOutput: 4, latencyCycles: 1 };

  it("are sent as ranks, a missing value as a code of its own", () => {
    const data = Float32Array.of(0.5, 99, 257.5, Number.NaN, Number.NaN, -1);
    const batch: Tensor[] = [{ name: "a", datatype: "FP32", shape: [2, 3], data }];
    const { bytes, count } = encodeRows(ranked, wide, batch);
    expect(count).toBe(2);
    expect([...bytes]).toEqual([2, 2, 1, 255, 0, 0]);
  });

  it("come back as label and probabilities of the same scores", () => {
    const bytes = new Uint8Array(Int32Array.of(-256, 512, 70_000, 0).buffer);
    const [label, probabilities] = decodeRows(ranked, wide, bytes, 2);
    expect(label).toMatchObject({ name: "label", data: BigInt64Array.of(9n, 7n), shape: [2] });
    const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
    const wanted = [-1, 2, 70_000 / 256, 0].map((value) => Math.fround(sigmoid(value)));
    expect([...(probabilities!.data as Float32Array)]).toEqual(wanted);
  });

  it("come back as powers of e", () => {
    const [first] = ranked.outputs;
    const outputs = [
      { ...first!, name: "y", datatype: "FP32" as const, activation: "exp" as const },
    ];
    const bytes = new Uint8Array(Int32Array.of(256, -128).buffer);
    const [y] = decodeRows({ ...ranked, outputs }, wide, bytes, 1);
    expect([...(y!.data as Float32Array)]).toEqual([
      Math.fround(Math.E),
      Math.fround(Math.exp(-0.5)),
    ]);
  });
});
