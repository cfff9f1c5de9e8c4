import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSchedule } from "./schedule";

const shape = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 });
const table = { image: 0, inputWidth: 10 };
const layerShapes = (sizes: readonly number[], tables = false) =>
  sizes.slice(1).map((outputSize, index) => ({
    inputSize: sizes[index] ?? 1,
    outputSize,
    ...(tables && index < sizes.length - 2 ? { table } : {}),
  }));

describe("schedule", () => {
  it("never reads a value before it is written, nor loads a drain register that is not empty", () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 20 }), fc.boolean(), (sizes, lanes, tables) => {
        const { groups, pipeline } = buildSchedule(layerShapes(sizes, tables), lanes);
        for (const [index, group] of groups.entries()) {
          const last = group.start + group.inputs;
          const before = groups[index - 1];
          if (before)
            expect(last).toBeGreaterThanOrEqual(before.start + before.inputs + before.outputs);
          for (const source of groups.filter(({ layer }) => layer === group.layer - 1)) {
            for (let output = 0; output < source.outputs; output++) {
              const written =
                source.start +
                source.inputs -
                1 +
                (tables && sizes.length > 2 ? pipeline.table : pipeline.value);
              expect(group.start + source.firstOutput + output).toBeGreaterThan(written + output);
            }
          }
        }
      }),
    );
  });

  it.each([
    {
      sizes: [16, 64, 32, 32, 5],
      lanes: 8,
      cycles: 544 + 12,
      why: "no pauses: the groups, and once through the pipeline",
    },
    {
      sizes: [16, 64, 32, 32, 5],
      lanes: 16,
      cycles: 288 + 12,
      why: "no pauses either",
    },
    {
      sizes: [16, 64, 32, 32, 5],
      lanes: 48,
      cycles: 160 + 12 + 2 * 8,
      why: "two layers wait for values of the one before, and the first begins with its smaller group",
    },
    {
      sizes: [64, 32, 32, 10],
      lanes: 8,
      cycles: 444,
      why: "the first scores wait for the last, so that the answer has no gap",
    },
    { sizes: [4, 16, 8, 3], lanes: 8, cycles: 56, why: "short layers wait for each other" },
  ])("takes $cycles cycles for $sizes on $lanes lanes ($why)", ({ sizes, lanes, cycles }) => {
    expect(buildSchedule(layerShapes(sizes), lanes).latencyCycles).toBe(cycles);
  });
});
