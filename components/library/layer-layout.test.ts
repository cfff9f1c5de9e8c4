import { describe, expect, it } from "vitest";
import { boxSize, layOutLayers, neighbourOf } from "./layer-layout";

const chain = (count: number) => ({
  layers: Array.from({ length: count }, (_, n) => ({ from: [n === 0 ? -1 : n - 1] })),
});
/** An input, a layer, two that read it, and one that reads both and the first layer too. */
const branches = { layers: [{ from: [-1] }, { from: [0] }, { from: [0] }, { from: [1, 2, 0] }] };

const overlaps = (layout: ReturnType<typeof layOutLayers>) =>
  layout.boxes.flatMap((a, n) =>
    layout.boxes
      .slice(n + 1)
      .filter((b) => Math.abs(a.x - b.x) < boxSize.width && Math.abs(a.y - b.y) < boxSize.height),
  );

describe("the picture of a model's layers", () => {
  it("draws a chain as a column, each layer below the one that it reads", () => {
    const layout = layOutLayers(chain(120), 1);
    const ys = layout.boxes.toSorted((a, b) => a.index - b.index).map(({ y }) => y);
    expect(ys).toEqual(ys.toSorted((a, b) => a - b));
    expect(new Set(layout.boxes.map(({ x }) => x)).size).toBe(1);
    expect(layout.boxes).toHaveLength(121);
    expect(layout.edges).toHaveLength(120);
  });

  it("draws branches side by side, none over another, all within its size", () => {
    const layout = layOutLayers(branches, 1);
    expect(overlaps(layout)).toEqual([]);
    for (const { x, y } of layout.boxes) {
      expect(x + boxSize.width).toBeLessThan(layout.width);
      expect(y + boxSize.height).toBeLessThan(layout.height);
    }
    const rankOf = (index: number) => layout.boxes.find((box) => box.index === index)?.rank;
    expect([-1, 0, 1, 2, 3].map(rankOf)).toEqual([0, 1, 2, 2, 3]);
    expect(layout.edges.map(({ from, to }) => [from, to])).toEqual([
      [-1, 0],
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [0, 3],
    ]);
  });

  it("is walked by arrows: down to a reader, up to what is read, sideways in a row", () => {
    const layout = layOutLayers(branches, 1);
    const walk = (from: number, ...keys: string[]) =>
      keys.reduce((index, key) => neighbourOf(layout, index, key), from);
    expect(walk(-1, "ArrowDown")).toBe(0);
    expect(walk(-1, "ArrowDown", "ArrowDown", "ArrowRight")).toBe(2);
    expect(walk(2, "ArrowLeft")).toBe(1);
    expect(walk(3, "ArrowUp", "ArrowUp", "ArrowUp")).toBe(-1);
    expect(walk(1, "End")).toBe(3);
    expect(walk(3, "Home")).toBe(-1);
    expect(walk(3, "ArrowDown")).toBe(3);
    expect(walk(-1, "ArrowUp")).toBe(-1);
    expect(walk(1, "x")).toBe(1);
  });
});
