import { describe, expect, it } from "vitest";
import { RecentMap } from "./recent-map";

describe("a map of what came lately", () => {
  it("lets the oldest go, one for each that is too many, and tells what went", () => {
    const map = new RecentMap<number>(3);
    const gone = ["a", "b", "c", "d", "e"].map((key, at) => map.set(key, at));
    expect(gone).toEqual([undefined, undefined, undefined, 0, 1]);
    expect(["a", "b", "c", "d", "e"].map((key) => map.get(key))).toEqual([
      undefined,
      undefined,
      2,
      3,
      4,
    ]);
  });

  it("keeps what is asked for or set again", () => {
    const map = new RecentMap<number>(3);
    for (const key of ["a", "b", "c"]) map.set(key, 0);
    map.get("a");
    expect(map.set("b", 1)).toBeUndefined();
    map.set("d", 0);
    map.set("e", 0);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 1, undefined]);
  });

  it("has room again for what was taken out", () => {
    const map = new RecentMap<number>(2);
    map.set("a", 1);
    map.set("b", 2);
    map.delete("a");
    map.delete("nothing");
    expect(map.set("c", 3)).toBeUndefined();
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 2, 3]);
  });
});
