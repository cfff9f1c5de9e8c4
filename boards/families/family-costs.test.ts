import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partEntries } from "../data";
import { familyCosts } from ".";
import { usualCosts } from "./family-costs";

const names = [...new Set(partEntries.map(({ family }) => family))].filter(
  (name) => name !== "cpu",
);

test("a family that nobody knows costs what most do, and one that is known what was measured", () => {
  expect(familyCosts("made-up")).toBe(usualCosts);
  expect(familyCosts("ice40").needsComplements).toBe(true);
  expect(familyCosts("ecp5").adder.bitsPerStep).toBe(2);
});

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /[.]tsx?$/.test(path) && !/[.]test[.]/.test(path))
    .map((path) => join(folder, path));

test("neither the compiler nor a page names a family: adding one touches boards alone", () => {
  const sources = ["compiler", "components"].flatMap(sourcesOf);
  expect(sources.length).toBeGreaterThan(300);
  const naming = new RegExp(`["'\`](${names.join("|")})["'\`]|\\b(${names.join("|")}):`);
  expect(sources.filter((path) => naming.test(readFileSync(path, "utf8")))).toEqual([]);
});

test("the compiler is told a part's costs with its target, and looks them up nowhere else", () => {
  const asking = sourcesOf("compiler").filter((path) =>
    /\bfamilyCosts\b/.test(readFileSync(path, "utf8")),
  );
  expect(asking).toEqual([join("compiler", "target", "part.ts")]);
});
