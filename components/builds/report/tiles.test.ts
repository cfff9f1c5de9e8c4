import { describe, expect, it } from "vitest";
import type { Placement } from "@/lib/common/contract";
import { neighbour, pathsOf, tilesOf } from "./tiles";

/** Three used tiles: two sections share the first, a memory lies to its right, a lane below. */
const placement: Placement = {
  schemaVersion: 1,
  columns: 10,
  rows: 8,
  sections: [
    { id: "lanes", name: "Lanes", group: "core" },
    { id: "line", name: "Serial line", group: "shell" },
  ],
  tiles: [2, 1, 0, 0, 2, 2, 1, 1, 0, 6, 5, 1, 0, 1, 1, 2, 6, 0, 0, 8],
};
const tiles = tilesOf(placement);

describe("tiles of a placement", () => {
  it("hold their sections, the larger first", () => {
    expect([...tiles.keys()]).toEqual(["2,1", "5,1", "2,6"]);
    expect(tiles.get("2,1")?.shares).toEqual([
      { section: "line", kind: "logic", cells: 6 },
      { section: "lanes", kind: "logic", cells: 2 },
    ]);
    expect(tiles.get("5,1")?.shares[0]?.kind).toBe("ram");
  });

  it("are drawn as one path for each section, a shared tile in proportion", () => {
    const paths = pathsOf(tiles.values());
    const heights = (section: string) =>
      [...(paths.get(section) ?? "").matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height));
    expect(heights("line")).toEqual([0.66]);
    expect(heights("lanes")).toEqual([0.22, 0.88, 0.88]);
  });

  it.each([
    { step: [1, 0], to: "5,1" },
    { step: [0, 1], to: "2,6" },
    { step: [-1, 0], to: null },
  ] as const)("are walked over in the direction $step", ({ step, to }) => {
    const next = neighbour(tiles.values(), { column: 2, row: 1 }, step);
    expect(next && `${next.column},${next.row}`).toBe(to);
  });
});
