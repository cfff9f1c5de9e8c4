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
