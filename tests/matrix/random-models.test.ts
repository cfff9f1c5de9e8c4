import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { randomKeras } from "../support/random-models/keras";
import { randomAttention, randomOnnx } from "../support/random-models/onnx";
import { proveCore } from "../support/random-models/prove-core";
import { judge, newTally } from "../support/random-models/tally";
import type { RandomModel } from "../support/random-models/types";
import { randomXgboost } from "../support/random-models/xgboost";
import { toolsFolder } from "../workers/folders";

const slice = 100;
/** Of each slice, so many plans are synthesised and simulated: those that come first. */
const simulated = 2;

/** Keras itself, as `npm run setup -- tensorflow` installs it. */
const python = join(toolsFolder, "tensorflow/bin/python");
const each = (make: (seed: number) => RandomModel) => async (first: number) =>
  Array.from({ length: slice }, (_, index) => make(first + index));

const slices = [
  { name: "ONNX", count: 1100, draw: each(randomOnnx) },
  { name: "attention", count: 200, draw: each(randomAttention) },
  { name: "XGBoost", count: 600, draw: each(randomXgboost) },
  { name: "Keras", count: 300, draw: (first: number) => randomKeras(python, first, slice) },
].flatMap(({ count, ...format }) =>
  Array.from({ length: count / slice }, (_, index) => ({ ...format, first: index * slice + 1 })),
);

const tally = newTally();
let proven = 0;

afterAll(() => {
  const refused = JSON.stringify(Object.fromEntries(tally.refused));
  console.info(
    `served ${tally.served}, planned ${tally.planned}, of those simulated ${proven}; refused ${refused}; faults ${tally.faults.length}`,
  );
});

describe("random legal models", () => {
  it.each(slices)("$name, from seed $first", async ({ first, draw }) => {
    const before = tally.faults.length;
    const served = tally.served;
    let left = simulated;
    for (const model of await draw(first)) {
      const plan = await judge(model, tally);
      if (!plan || left === 0) continue;
      left -= 1;
      expect(await proveCore(plan), `${model.format} seed ${model.seed}`).toBe(plan.vectors.length);
      proven += 1;
    }
    expect(tally.faults.slice(before)).toEqual([]);
    expect(tally.served - served).toBe(slice);
  });
});
