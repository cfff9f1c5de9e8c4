import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSchedule, pipeline } from "./build-schedule";

const shape = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 });
const layersOf = (sizes: readonly number[]) =>
  sizes.slice(1).map((outputSize, index) => ({ inputSize: sizes[index] ?? 1, outputSize }));

describe("schedule", () => {
  it("never reads a value before it is written, nor loads a drain register that is not empty", () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 1, max: 20 }), (sizes, lanes) => {
        const { groups } = buildSchedule(layersOf(sizes), lanes);
        for (const [index, group] of groups.entries()) {
          const last = group.start + group.inputs;
          const before = groups[index - 1];
          if (before)
            expect(last).toBeGreaterThanOrEqual(before.start + before.inputs + before.outputs);
          for (const source of groups.filter(({ layer }) => layer === group.layer - 1)) {
            for (let output = 0; output < source.outputs; output++) {
              const written = source.start + source.inputs - 1 + pipeline.value + output;
              expect(group.start + source.firstOutput + output).toBeGreaterThan(written);
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
      cycles: 544 + 17,
      why: "no pauses: the groups, and once through the pipeline",
    },
    { sizes: [4, 16, 8, 3], lanes: 8, cycles: 61, why: "short layers wait for each other" },
  ])("takes $cycles cycles for $sizes on $lanes lanes ($why)", ({ sizes, lanes, cycles }) => {
    expect(buildSchedule(layersOf(sizes), lanes).latencyCycles).toBe(cycles);
  });
});
