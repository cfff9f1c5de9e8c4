import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { emptyOutline, extendOutline } from "@/lib/common/log-outline";
import { chunkLines, LogStore } from "./log-store";

const line = (n: number): LogLine => ({
  n,
  time: "2026-11-20T12:00:00.000Z",
  stage: "place",
  stream: "stdout",
  level: "info",
  text: `line ${n}`,
});
const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(first + index));

describe("LogStore", () => {
  it("grows by lines of the stream, each once", () => {
    const store = new LogStore();
    store.append([line(1), line(2)]);
    store.append([line(2), line(3)]);
    expect(store.last).toBe(3);
    expect(store.lineAt(3)).toEqual(line(3));
  });

  it("knows of a gap, until the outline says what lies in it", () => {
    const store = new LogStore();
    store.append([line(1), line(4)]);
    expect([store.last, store.hasGap]).toEqual([1, true]);
    store.setOutline(extendOutline(emptyOutline, from(1, 4)));
    expect([store.last, store.hasGap]).toEqual([4, false]);
    expect(store.missing(1, 4)).toEqual([{ from: 2, limit: 3 }]);
  });

  it("never goes back to an older outline", () => {
    const store = new LogStore();
    store.append(from(1, 5));
    store.setOutline(extendOutline(emptyOutline, from(1, 3)));
    expect(store.last).toBe(5);
  });

  it("asks for the chunks of lines that are looked at, and for nothing that is here", () => {
    const store = new LogStore();
    store.setOutline({ ...emptyOutline, lines: 3 * chunkLines + 10 });
    expect(store.missing(chunkLines, chunkLines + 1)).toEqual([
      { from: 1, limit: chunkLines },
      { from: chunkLines + 1, limit: chunkLines },
    ]);
    store.hold(from(1, chunkLines));
    expect(store.missing(1, chunkLines)).toEqual([]);
    expect(store.missing(3 * chunkLines + 1, 9 * chunkLines)).toEqual([
      { from: 3 * chunkLines + 1, limit: 10 },
    ]);
  });

  it("holds a bounded number of lines, those that were looked at last", () => {
    const store = new LogStore();
    store.setOutline({ ...emptyOutline, lines: 1_000_000 });
    for (let chunk = 0; chunk < 100; chunk += 1) store.hold(from(chunk * chunkLines + 1, 3));
    expect(store.heldChunks).toBe(24);
    expect(store.lineAt(1)).toBeUndefined();
    expect(store.lineAt(99 * chunkLines + 1)).toBeDefined();
  });

  it("lacks nothing in the end, whatever the order and however often lines come", () => {
    const batches = fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(batches, (some) => {
        const store = new LogStore();
        for (const batch of some) store.append(batch.map(line));
        store.append(from(1, 40));
        expect(store.getSnapshot().outline).toEqual(extendOutline(emptyOutline, from(1, 40)));
        expect(store.missing(1, 40)).toEqual([]);
        expect(store.hasGap).toBe(false);
      }),
    );
  });
});
