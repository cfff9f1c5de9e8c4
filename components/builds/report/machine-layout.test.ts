import { describe, expect, it } from "vitest";
import { layoutOf } from "./machine-layout";

const machine = (inputs: number, ...counts: number[]) => ({
  inputs,
  layers: counts.map((count, at) => ({
    name: `dense_${at}`,
    relu: false,
    processors: Array.from({ length: count }, (_, number) => ({
      number,
      inputs: 1,
      instructions: 7,
    })),
  })),
});

describe("the picture of a machine", () => {
  it("numbers processors where there is room, and keeps them apart", () => {
    const { isLabelled, radius, columns } = layoutOf(machine(4, 8, 3));
    expect(isLabelled).toBe(true);
    expect(columns.map(({ title }) => title)).toEqual(["inputs", "dense_0", "dense_1"]);
    for (const { ys } of columns) {
      const gaps = ys.slice(1).map((y, at) => y - (ys[at] ?? 0));
      for (const gap of gaps) expect(gap).toBeGreaterThan(2 * radius);
    }
  });

  it("is never taller than some screens, however wide a layer is, and never lower than its titles need", () => {
    expect(layoutOf(machine(256, 64, 10)).height).toBeLessThan(1600);
    expect(layoutOf(machine(256, 64, 10)).isLabelled).toBe(false);
    expect(layoutOf(machine(1, 1)).height).toBeGreaterThan(100);
  });
});
