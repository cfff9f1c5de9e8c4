import { describe, expect, it } from "vitest";
import { planFaults } from "./schedule";

const victimsOf = (seed: number, kills: number) =>
  planFaults(seed, 100, kills).flatMap(({ fault }) =>
    fault.kind === "kill" ? [fault.victim] : [],
  );

describe("a storm's schedule", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(planFaults(7, 1000, 70)).toEqual(planFaults(7, 1000, 70));
    expect(planFaults(7, 1000, 70)).not.toEqual(planFaults(8, 1000, 70));
  });

  it("has as many kills as were asked for, in order, before the last build", () => {
    const planned = planFaults(3, 1000, 70);
    expect(planned.filter(({ fault }) => fault.kind === "kill")).toHaveLength(70);
    const times = planned.map(({ after }) => after);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.max(...times)).toBeLessThan(1000);
  });

  it("meets each process and store within eleven kills", () => {
    expect(new Set(victimsOf(5, 11)).size).toBe(11);
  });
});
