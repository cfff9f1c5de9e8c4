import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeWorkFolder, sweepWorkFolders } from "./work-folder";

const newHome = () => mkdtempSync(join(tmpdir(), "home-"));

describe("work folder", () => {
  it("is empty, holds what is written, and takes older attempts with it", async () => {
    const home = newHome();
    const first = await makeWorkFolder(home, { buildId: "b", epoch: 1 });
    await first.write("core.v", "module core; endmodule");
    expect(readFileSync(join(home, "work/b/1/core.v"), "utf8")).toContain("module");
    const second = await makeWorkFolder(home, { buildId: "b", epoch: 2 });
    expect(existsSync(first.path)).toBe(false);
    await second.remove();
    expect(existsSync(join(home, "work/b"))).toBe(false);
  });

  it.each(["../x", "/etc/x", "a/b", ".hidden", ""])("refuses the name %j", async (name) => {
    const work = await makeWorkFolder(newHome(), { buildId: "b", epoch: 1 });
    await expect(work.write(name, "x")).rejects.toMatchObject({ reason: "OUTPUT_INVALID" });
  });

  it.each([
    ["symbolic link", (outside: string, path: string) => symlinkSync(outside, path)],
    ["hard link", (outside: string, path: string) => linkSync(outside, path)],
    ["pipe", (_: string, path: string) => execFileSync("mkfifo", [path])],
    ["folder", (_: string, path: string) => mkdirSync(path)],
  ])("writes to no %s that a tool left, and waits for none", async (_, leave) => {
    const home = newHome();
    const outside = join(home, "outside");
    writeFileSync(outside, "mine");
    const work = await makeWorkFolder(home, { buildId: "b", epoch: 1 });
    leave(outside, join(work.path, "top.v"));
    await work.write("top.v", "x");
    expect(readFileSync(join(work.path, "top.v"), "utf8")).toBe("x");
    expect(readFileSync(outside, "utf8")).toBe("mine");
  });

  it("keeps the log's spill where no tool reaches it, and takes it along", async () => {
    const work = await makeWorkFolder(newHome(), { buildId: "b", epoch: 1 });
    expect(work.spillPath.startsWith(`${work.path}/`)).toBe(false);
    writeFileSync(work.spillPath, "{}");
    await work.remove();
    expect(existsSync(work.spillPath)).toBe(false);
  });

  it("goes alone: a newer attempt in the same home keeps its own", async () => {
    const home = newHome();
    const zombie = await makeWorkFolder(home, { buildId: "b", epoch: 1 });
    const winner = await makeWorkFolder(home, { buildId: "b", epoch: 2 });
    await winner.write("core.v", "module core; endmodule");
    await zombie.remove();
    expect(existsSync(join(winner.path, "core.v"))).toBe(true);
    // It woke before it had made its own.
    await (await makeWorkFolder(home, { buildId: "b", epoch: 1 })).remove();
    expect(existsSync(join(winner.path, "core.v"))).toBe(true);
    await winner.remove();
    expect(existsSync(join(home, "work/b"))).toBe(false);
  });

  describe("of a worker that died", () => {
    const [dead, live, unknown] = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
    const attemptOf = async (id: string) => {
      if (id === unknown) throw new Error("the database is away");
      return id === live ? 12 : null;
    };

    it("is swept, and no attempt's that has its build", async () => {
      const home = newHome();
      for (const [buildId = "", epoch] of [
        [dead, 1],
        [live, 1],
        [live, 12],
        [live, "12.spill"],
        [live, "1.spill"],
        [unknown, 1],
        ["not-a-build", 1],
      ] as const) {
        mkdirSync(join(home, "work", buildId, String(epoch)), { recursive: true });
      }
      expect(await sweepWorkFolders(home, attemptOf)).toBe(4);
      expect(readdirSync(join(home, "work"), { recursive: true }).sort()).toEqual(
        [live, `${live}/12`, `${live}/12.spill`, unknown, `${unknown}/1`].sort(),
      );
      expect(await sweepWorkFolders(join(home, "none"), attemptOf)).toBe(0);
    });
  });
});
