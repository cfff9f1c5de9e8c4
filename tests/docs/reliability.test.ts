import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const page = readFileSync("docs/reliability.md", "utf8");
/** The cells of every line of every table, but for the lines that head them. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| --"))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()))
  .filter((cells) => cells.at(-1) !== "test");

describe("the page of what may go wrong", () => {
  it("names tests that are there", () => {
    const named = [...page.matchAll(/`([\w./-]+\.(?:test|spec|bench)\.tsx?)`/g)].map(
      ([, file]) => file,
    );
    expect(named.length).toBeGreaterThan(200);
    expect([...new Set(named)].filter((file) => !existsSync(file ?? ""))).toEqual([]);
  });

  it("names in each row a test, or says why there is none", () => {
    expect(rows.length).toBeGreaterThan(150);
    const silent = rows.filter((cells) => {
      const last = cells.at(-1) ?? "";
      return !/`(\S+\.test\.tsx?|npm run .+)`/.test(last) && !/^– .{20}/.test(last);
    });
    expect(silent).toEqual([]);
  });
});
