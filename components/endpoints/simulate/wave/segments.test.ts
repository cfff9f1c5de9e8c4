import { describe, expect, it } from "vitest";
import type { SignalTrace } from "@/simulator/run";
import { bothHigh, segmentsOf } from "./segments";

const signal = (changes: readonly [number, number][]): SignalTrace => ({
  name: "s",
  width: 1,
  cycles: Uint32Array.from(changes, ([cycle]) => cycle),
  values: Float64Array.from(changes, ([, value]) => value),
});

describe("what is drawn of a signal", () => {
  const data = signal([
    [0, 5],
    [3, 6],
    [7, 9],
  ]);

  it("is one stretch for each value, cut at the edges of the view and at the end of the trace", () => {
    const view = { from: 1, cyclesPerPixel: 0.1 };
    expect(segmentsOf(data, view, { length: 8, width: 100 })).toEqual([
      { x: 0, endX: 20, value: 5 },
      { x: 20, endX: 60, value: 6 },
      { x: 60, endX: 70, value: 9 },
    ]);
    expect(segmentsOf(data, view, { length: 8, width: 30 })).toEqual([
      { x: 0, endX: 20, value: 5 },
      { x: 20, endX: 30, value: 6 },
    ]);
  });

  it("is a block where changes are closer than pixels, and values again behind", () => {
    const busy = signal([
      ...Array.from({ length: 1000 }, (_, cycle): [number, number] => [cycle, cycle % 2]),
      [1000, 7],
    ]);
    const view = { from: 0, cyclesPerPixel: 20 };
    const drawn = segmentsOf(busy, view, { length: 2000, width: 100 });
    expect(drawn).toEqual([
      { x: 0, endX: expect.any(Number), value: null },
      { x: expect.any(Number), endX: 100, value: 7 },
    ]);
    expect(drawn[0]?.endX).toBeGreaterThanOrEqual(50);
    expect(drawn[0]?.endX).toBeLessThanOrEqual(54);
  });

  it("takes a million changes by the pixels, not one by one", () => {
    const changes = Uint32Array.from({ length: 1_000_000 }, (_, cycle) => cycle);
    let looks = 0;
    const cycles = new Proxy(changes, {
      get(target, key) {
        looks += 1;
        return Reflect.get(target, key);
      },
    });
    const view = { from: 0, cyclesPerPixel: 1000 };
    const size = { length: 1_000_000, width: 1000 };
    expect(segmentsOf({ cycles, values: Float64Array.from(changes) }, view, size)).toHaveLength(1);
    expect(looks).toBeLessThan(size.width * 25);
  });
});

describe("where bytes pass", () => {
  it("is where valid and ready are both 1", () => {
    const valid = signal([
      [0, 0],
      [1, 1],
      [6, 0],
    ]);
    const ready = signal([
      [0, 1],
      [2, 0],
      [4, 1],
    ]);
    const { cycles, values } = bothHigh(valid, ready);
    expect([...cycles]).toEqual([0, 1, 2, 4, 6]);
    expect([...values]).toEqual([0, 1, 0, 1, 0]);
  });
});
