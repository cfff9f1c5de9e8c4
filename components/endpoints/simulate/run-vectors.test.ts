import { describe, expect, it } from "vitest";
import type { VectorsProgress } from "./messages";
import { runVectors } from "./run-vectors";

const base64 = (bytes: readonly number[]) => Buffer.from(bytes).toString("base64");
const vectors = { rows: 3, inputs: base64([1, 2, 3, 4, 5, 6]), outputs: base64([3, 7, 11]) };
const shape = { inputBytes: 2, outputBytes: 1 };
const sum = (row: Uint8Array) => ({
  output: Uint8Array.of((row[0] ?? 0) + (row[1] ?? 0)),
  cycles: 10,
});

async function progressOf(
  run: typeof sum,
  { stopAfter = Infinity, file = vectors } = {},
): Promise<VectorsProgress> {
  let [last, ran]: [VectorsProgress | null, number] = [null, 0];
  await runVectors(file, {
    run: (row) => {
      ran += 1;
      return run(row);
    },
    shape,
    isStopped: () => ran >= stopAfter,
    pause: async () => {},
    onProgress: (progress, ended) => {
      if (ended) last = progress;
    },
  });
  if (!last) throw new Error("it never ended");
  return last;
}

describe("all vectors", () => {
  it("are counted as equal", async () => {
    expect(await progressOf(sum)).toMatchObject({
      total: 3,
      done: 3,
      equal: 3,
      firstDifferent: null,
    });
  });

  it("name the first row that differs", async () => {
    const wrong = (row: Uint8Array) =>
      row[0] === 1 ? sum(row) : { output: Uint8Array.of(0), cycles: 1 };
    expect(await progressOf(wrong)).toMatchObject({ done: 3, equal: 1, firstDifferent: 1 });
  });

  it("stop when told to, and say how far they came", async () => {
    expect(await progressOf(sum, { stopAfter: 2 })).toMatchObject({ total: 3, done: 2, equal: 2 });
  });

  it("are refused when they are no rows of this core", async () => {
    const file = { ...vectors, outputs: base64([3, 7]) };
    await expect(progressOf(sum, { file })).rejects.toMatchObject({ reason: "ARTIFACT_MISMATCH" });
  });
});
