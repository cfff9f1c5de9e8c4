import { describe, expect, it } from "vitest";
import { firmwareFiles, manifestOf } from "@/tests/support/artifact-archive";
import { coreModel } from "./core-model";

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString("base64");

/** A core that answers every row with the same bytes, and how often it was asked. */
function fakeCore(answer: readonly number[]) {
  const asked = { rows: 0 };
  const model = coreModel(manifestOf(firmwareFiles), {
    simulated: true,
    async run(_, count) {
      asked.rows += count;
      const outputs = Uint8Array.from(Array.from({ length: count }, () => answer).flat());
      return { outputs, cycles: count, computeNs: 1 };
    },
    async close() {},
  });
  return { model, asked };
}

describe("the test of a core that was loaded", () => {
  it("asks the rows of its artifact, and refuses another answer", async () => {
    const vectors = {
      rows: 2,
      inputs: base64(1, 2, 3, 4),
      outputs: base64(1, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3, 0),
    };
    const right = fakeCore([1, 0, 2, 0, 3, 0]);
    await right.model.selfTest(vectors);
    expect(right.asked.rows).toBe(2);
    await expect(fakeCore([1, 0, 2, 0, 3, 1]).model.selfTest(vectors)).rejects.toMatchObject({
      reason: "SELF_TEST_FAILED",
    });
  });

  it("asks nothing of an artifact that came without rows", async () => {
    const { model, asked } = fakeCore([]);
    await model.selfTest(null);
    expect(asked.rows).toBe(0);
  });
});
