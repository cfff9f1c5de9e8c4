import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isOver, processName } from "./place";

describe("the name of a process", () => {
  const mine = processName();
  const nameOf = (pid: number | string) => mine.replace(`-${process.pid}-`, `-${pid}-`);

  it("tells that it is over once it is, and not before", async () => {
    expect(isOver(mine)).toBe(false);
    const child = spawn("/bin/sleep", ["300"]);
    const exited = once(child, "exit");
    // Another process under the number that ours had: it started at another time.
    expect(isOver(nameOf(child.pid ?? 0))).toBe(true);
    child.kill("SIGKILL");
    await exited;
    expect(isOver(nameOf(child.pid ?? 0))).toBe(true);
  });

  it("tells nothing of other machines, of other process tables and of names without a place", () => {
    expect(isOver(mine.replace(/[0-9a-f]{16}$/, "0123456789abcdef"))).toBe(false);
    expect(isOver("host-1")).toBe(false);
    expect(isOver("w1")).toBe(false);
  });
});
