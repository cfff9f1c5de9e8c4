import { describe, expect, it } from "vitest";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { randomFrom } from "../random";
import { runIntegerGraph } from "../run-integer-graph";
import { buildSchedule, stagesOf } from "../schedule";
import { emitCore } from "./emit-core";
import { tapsOf } from "./taps";

const styles = { constants: "block", result: "block" } as const;

function randomRows(count: number, size: number, seed: number): Int8Array[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () =>
    Int8Array.from({ length: size }, () => random.integer(-128, 127)),
  );
}

describe("the emitted core in Icarus", () => {
  it.each([
    { sizes: [4, 16, 8, 3], lanes: 8, relu: true, why: "iris, needs pauses" },
    { sizes: [16, 16, 8, 8, 5], lanes: 8, relu: true, why: "reads would overtake writes" },
    { sizes: [64, 32, 32, 10], lanes: 8, relu: true, why: "digits" },
    { sizes: [5, 3], lanes: 2, relu: true, why: "one layer" },
    { sizes: [1, 1], lanes: 1, relu: true, why: "the smallest" },
    { sizes: [1, 7, 1, 9], lanes: 4, relu: true, why: "single values between layers" },
    { sizes: [3, 11, 6, 2], lanes: 5, relu: false, why: "signed hidden layers, odd lanes" },
    { sizes: [9, 10, 10, 10, 7], lanes: 3, relu: "mixed" as const, why: "mixed activations" },
    { sizes: [2, 40, 3], lanes: 16, relu: true, why: "more lanes than inputs" },
    { sizes: [6, 4, 300], lanes: 7, relu: false, why: "more outputs than activations" },
  ])("equals the integer graph: $sizes at $lanes lanes ($why)", ({ sizes, lanes, relu }) => {
    const graph = randomGraph(sizes, { seed: 11, relu });
    const layers = stagesOf(graph).map(({ dense }) => dense);
    const schedule = buildSchedule(layers, lanes);
    const rows = randomRows(40, sizes[0] ?? 1, 5);
    const answers = runIcarus(emitCore(graph, schedule, styles), rows, {
      outputs: graph.output.size,
    });
    const taps = tapsOf(graph, schedule);
    expect(answers).toHaveLength(rows.length);
    for (const [index, row] of rows.entries()) {
      const answer = answers[index];
      const run = runIntegerGraph(graph, row);
      for (const tap of taps) {
        const trace = tap.signal === "tap_value" ? answer?.value : answer?.accumulator;
        const got = trace?.[tap.cycle];
        const wanted = run.nodes.get(tap.node)?.[tap.element];
        if (got !== wanted) {
          expect({ index, tap, got }).toEqual({ index, tap, got: wanted });
        }
      }
      expect(Array.from(answer?.values ?? [])).toEqual(Array.from(run.output));
      expect(answer?.cycles).toBe(schedule.latencyCycles);
    }
  });
});
