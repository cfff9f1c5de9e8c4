import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { LogStore } from "./log-store";

const line = (n: number): LogLine => ({
  n,
  time: "2026-11-20T12:00:00.000Z",
  stage: "place",
  stream: "stdout",
  level: "info",
  text: `line ${n}`,
});
const numbers = (store: LogStore) => store.getSnapshot().lines.map(({ n }) => n);

describe("LogStore", () => {
  it("keeps a line that comes twice once", () => {
    const store = new LogStore();
    store.add([line(1), line(2)]);
    store.add([line(2), line(3)]);
    expect(numbers(store)).toEqual([1, 2, 3]);
  });

  it("shows nothing beyond a gap until the gap is filled", () => {
    const store = new LogStore();
    store.add([line(1), line(4), line(3)]);
    expect(numbers(store)).toEqual([1]);
    expect(store.hasGap).toBe(true);
    expect(store.last).toBe(1);
    store.add([line(2)]);
    expect(numbers(store)).toEqual([1, 2, 3, 4]);
    expect(store.hasGap).toBe(false);
  });

  it("tells its listeners only when there is something new", () => {
    const store = new LogStore();
    let told = 0;
    store.subscribe(() => (told += 1));
    store.add([line(1)]);
    store.add([line(1)]);
    store.add([line(3)]);
    expect(told).toBe(1);
  });

  it("is dense whatever the order and however often lines come", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }), { maxLength: 40 }),
        (batches) => {
          const store = new LogStore();
          for (const batch of batches) store.add(batch.map(line));
          store.add(Array.from({ length: 40 }, (_, index) => line(index + 1)));
          expect(numbers(store)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
          expect(store.hasGap).toBe(false);
        },
      ),
    );
  });
});
