import { expect, it } from "vitest";
import { Tally } from "./tally";

it("tells what each holds, and never less than nothing", () => {
  const tally = new Tally();
  tally.add("a", 3);
  tally.add("b", 1);
  tally.add("a", -1);
  tally.add("b", -5);
  expect([tally.of("a"), tally.of("b"), tally.of("c")]).toEqual([2, 0, 0]);
});

it("forgets those that hold nothing once they are many, and nobody else", () => {
  const tally = new Tally();
  tally.add("kept", 1);
  for (let i = 0; i < 10_000; i++) {
    tally.add(`${i}`, 1);
    tally.add(`${i}`, -1);
  }
  expect(tally.size).toBeLessThanOrEqual(1024);
  expect(tally.of("kept")).toBe(1);
});

it("keeps any number of those that hold something", () => {
  const tally = new Tally();
  for (let i = 0; i < 3000; i++) tally.add(`${i}`, 1);
  expect(tally.size).toBe(3000);
  for (let i = 0; i < 3000; i++) tally.add(`${i}`, -1);
  tally.add("next", 1);
  expect(tally.size).toBe(1);
});
