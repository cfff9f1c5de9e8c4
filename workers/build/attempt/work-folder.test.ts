import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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

  it("follows no link that a tool left", async () => {
    const home = newHome();
    const outside = join(home, "outside");
    writeFileSync(outside, "mine");
    const work = await makeWorkFolder(home, { buildId: "b", epoch: 1 });
    symlinkSync(outside, join(work.path, "top.v"));
    await expect(work.write("top.v", "x")).rejects.toThrow();
    expect(readFileSync(outside, "utf8")).toBe("mine");
  });

  it("is swept when nobody works on its build", async () => {
    const home = newHome();
    const [dead, live] = [
      await makeWorkFolder(home, { buildId: "dead", epoch: 1 }),
      await makeWorkFolder(home, { buildId: "live", epoch: 1 }),
    ];
    expect(await sweepWorkFolders(home, async (id) => id === "live")).toBe(1);
    expect([existsSync(dead.path), existsSync(live.path)]).toEqual([false, true]);
    expect(await sweepWorkFolders(join(home, "none"), async () => false)).toBe(0);
  });
});
