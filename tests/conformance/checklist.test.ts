import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Titles of tests and rows of their tables begin with the numbers of the checks: `80 share…`, `22 to 27 take…`. */
const numbered = /(?:\b(?:it|describe)\(|\]\)\(|^\s*\[?)\s*["'`](\d+)(?: (and|to) (\d+))? /gm;

it("has a test for each of the protocol's 95 checks", () => {
  const found = new Set<number>();
  for (const folder of [
    "tests/conformance",
    "tests/clients",
    "tests/gateway",
    "tests/judges",
    "tests/judges/clients",
  ]) {
    for (const file of readdirSync(folder)) {
      if (!file.endsWith(".test.ts")) continue;
      const text = readFileSync(join(folder, file), "utf8");
      for (const [, first, joint, last] of text.matchAll(numbered)) {
        found.add(Number(first));
        if (joint === "and") found.add(Number(last));
        for (let n = Number(first); joint === "to" && n <= Number(last); n++) found.add(n);
      }
    }
  }
  const missing = Array.from({ length: 95 }, (_, index) => index + 1).filter(
    (each) => !found.has(each),
  );
  expect(missing).toEqual([]);
});
