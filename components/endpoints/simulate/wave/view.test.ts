import { describe, expect, it } from "vitest";
import { cycleAt, pan, pixelOf, reveal, showAll, ticksOf, zoom } from "./view";

const size = { length: 400, width: 800 };

describe("the view of a wave", () => {
  it("shows all of a long trace, and a short one no wider than is useful", () => {
    expect(showAll(size)).toEqual({ from: 0, cyclesPerPixel: 0.5 });
    expect(1 / showAll({ length: 3, width: 800 }).cyclesPerPixel).toBeLessThan(60);
  });

  it("keeps the cycle under the pointer while it zooms", () => {
    const near = zoom(showAll(size), 0.25, 600, size);
    expect(near.cyclesPerPixel).toBe(0.125);
    expect(near.from + 600 * near.cyclesPerPixel).toBe(300);
    expect(pixelOf(near, 300)).toBe(600);
  });

  it("does not leave the trace, nor zoom beyond all or one wide cycle", () => {
    expect(zoom(showAll(size), 2, 0, size)).toEqual(showAll(size));
    expect(1 / zoom(showAll(size), 1e-9, 0, size).cyclesPerPixel).toBeLessThan(60);
    const near = { from: 10, cyclesPerPixel: 0.1 };
    expect(pan(near, -1e6, size).from).toBe(0);
    expect(pan(near, 1e6, size).from).toBe(400 - 80);
  });

  it("moves to a cycle only if that is not in sight", () => {
    const near = { from: 100, cyclesPerPixel: 0.1 };
    expect(reveal(near, 120, size)).toBe(near);
    const after = reveal(near, 250, size);
    expect(pixelOf(after, 250)).toBeGreaterThan(0);
    expect(pixelOf(after, 251)).toBeLessThan(800);
    const before = reveal(near, 20, size);
    expect(pixelOf(before, 20)).toBeGreaterThanOrEqual(0);
  });

  it("finds the cycle under a pixel, within the trace", () => {
    expect(cycleAt(showAll(size), 401, size)).toBe(200);
    expect(cycleAt(showAll(size), 5000, size)).toBe(399);
    expect(cycleAt(showAll(size), -5, size)).toBe(0);
  });

  it("writes round numbers on the axis, whole cycles where they are wide", () => {
    expect(ticksOf(showAll(size), size)).toEqual([0, 50, 100, 150, 200, 250, 300, 350]);
    const near = { from: 10.5, cyclesPerPixel: 1 / 50 };
    expect(ticksOf(near, { length: 400, width: 300 })).toEqual([12, 14, 16]);
  });
});
