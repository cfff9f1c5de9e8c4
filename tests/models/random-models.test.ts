import { describe, expect, it } from "vitest";
import { randomAttention, randomOnnx } from "../support/random-models/onnx";
import { judge, newTally } from "../support/random-models/tally";
import { randomXgboost } from "../support/random-models/xgboost";

/** A slice of the models of `tests/matrix/random-models.test.ts`; further on in the seeds. */
const first = 9001;

describe("random legal models", { timeout: 300_000 }, () => {
  it.each([
    { name: "ONNX", count: 60, make: randomOnnx },
    { name: "attention", count: 30, make: randomAttention },
    { name: "XGBoost", count: 60, make: randomXgboost },
  ])(
    "of $name are served as their own runtime answers, and planned for FPGA or refused by name",
    async ({ count, make }) => {
      const tally = newTally();
      for (let seed = first; seed < first + count; seed++) await judge(make(seed), tally);
      expect(tally.faults).toEqual([]);
      expect(tally.served).toBe(count);
      // A generator whose models are all refused would find nothing.
      expect(tally.planned).toBeGreaterThan(count / 6);
    },
  );
});
