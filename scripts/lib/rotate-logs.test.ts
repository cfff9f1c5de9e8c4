import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rotateLogs } from "./rotate-logs.mjs";

const limits = { mostBytes: 100, kept: 2 };

it("begins a log anew under a process that holds it open, and keeps what it held", () => {
  const folder = mkdtempSync(join(tmpdir(), "bw-logs-"));
  const file = join(folder, "portal.log");
  const log = openSync(file, "a");
  try {
    let line = 0;
    const write = (count: number) => {
      for (let n = 0; n < count; n++) writeSync(log, `line ${String(++line).padStart(4, "0")}\n`);
    };
    write(5);
    rotateLogs(folder, limits);
    expect(readdirSync(folder)).toEqual(["portal.log"]);
    for (let turn = 0; turn < 3; turn++) {
      write(20);
      rotateLogs(folder, limits);
    }
    write(3);
    appendFileSync(join(folder, "other.txt"), "x".repeat(500));
    rotateLogs(folder, limits);
    expect(readdirSync(folder).sort()).toEqual([
      "other.txt",
      "portal.log",
      "portal.log.1",
      "portal.log.2",
    ]);
    const all = ["portal.log.2", "portal.log.1", "portal.log"]
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("");
    // The oldest 25 lines went; the rest is there, in order, and nothing else.
    expect(all).toBe(
      Array.from({ length: 43 }, (_, at) => `line ${String(at + 26).padStart(4, "0")}\n`).join(""),
    );
  } finally {
    closeSync(log);
    rmSync(folder, { recursive: true, force: true });
  }
});
