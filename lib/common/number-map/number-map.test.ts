import { expect, it } from "vitest";
import { NumberMap } from "./number-map";

/** Whole numbers below `limit`, the same each time. */
function* numbers(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

it.each([4, 40, 400, 2 ** 32])("holds what a Map would, of keys below %d", (limit) => {
  const map = new NumberMap<string>();
  const expected = new Map<number, string>();
  const random = numbers(limit);
  for (let step = 0; step < 20_000; step++) {
    const key = (random.next().value as number) % limit;
    if ((random.next().value as number) % 3 === 0) {
      expect(map.delete(key)).toBe(expected.delete(key));
    } else {
      map.set(key, `${step}`);
      expected.set(key, `${step}`);
    }
    if (expected.size > 300) {
      for (const each of [...expected.keys()].slice(0, 250)) {
        expect(map.delete(each)).toBe(expected.delete(each));
      }
    }
    expect(map.get(key)).toBe(expected.get(key));
    expect(map.size).toBe(expected.size);
  }
  expect(map.values().toSorted()).toEqual([...expected.values()].toSorted());
  map.clear();
  expect(map.size).toBe(0);
  expect(map.values()).toEqual([]);
});

it("has nothing under what is no such number", () => {
  const map = new NumberMap<string>();
  map.set(0, "zero");
  for (const key of [-1, 0.5, Number.NaN]) {
    expect(map.get(key)).toBeUndefined();
    expect(map.delete(key)).toBe(false);
  }
  expect(map.size).toBe(1);
});

it("finds numbers beyond 32 bits apart", () => {
  const map = new NumberMap<string>();
  map.set(1, "one");
  map.set(2 ** 40 + 1, "many");
  expect(map.get(1)).toBe("one");
  expect(map.get(2 ** 40 + 1)).toBe("many");
  expect(map.get(2 ** 41 + 1)).toBeUndefined();
});
