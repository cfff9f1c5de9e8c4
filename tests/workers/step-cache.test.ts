import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStepCache, stepKey } from "@/workers/builds/tools";

let folder: string;
let work: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bw-sc-"));
  work = join(folder, "work");
  mkdirSync(work);
  writeFileSync(join(work, "in.v"), "module");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const step = {
  tool: { command: "yosys", version: "1" },
  args: ["-s", "a.ys"],
  reads: ["in.v"],
  produces: ["out.json"],
};
const open = (maxBytes = 1_000_000) => createStepCache(join(folder, "cache"), maxBytes);

describe("the cache of steps", () => {
  it("names a step by its tool, arguments and inputs", async () => {
    const key = await stepKey(work, step);
    expect(await stepKey(work, step)).toBe(key);
    const others = [
      { ...step, tool: { command: "yosys", version: "2" } },
      { ...step, args: ["-s", "b.ys"] },
      { ...step, produces: ["other.json"] },
    ];
    for (const other of others) expect(await stepKey(work, other)).not.toBe(key);
    writeFileSync(join(work, "in.v"), "module other");
    expect(await stepKey(work, step)).not.toBe(key);
  });

  it("gives back what was kept, and nothing else", async () => {
    const cache = open();
    expect(await cache.take(work, "k", step.produces)).toBe(false);
    writeFileSync(join(work, "out.json"), "made");
    await cache.keep(work, "k", step.produces);
    rmSync(join(work, "out.json"));
    expect(await cache.take(work, "k", step.produces)).toBe(true);
    expect(readFileSync(join(work, "out.json"), "utf8")).toBe("made");
    expect(await cache.take(work, "other", step.produces)).toBe(false);
  });

  it("gives nothing back that is damaged, and forgets it", async () => {
    const cache = open();
    writeFileSync(join(work, "out.json"), "made");
    await cache.keep(work, "k", step.produces);
    writeFileSync(join(folder, "cache/k/out.json"), "");
    expect(await cache.take(work, "k", step.produces)).toBe(false);
    expect(readdirSync(join(folder, "cache"))).toEqual([]);
  });

  it("stays below its size: what was longest unused goes first", async () => {
    const cache = open(10_000);
    writeFileSync(join(work, "out.json"), "x".repeat(2000));
    for (let n = 0; n < 10; n++) {
      await cache.keep(work, `k${n}`, step.produces);
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (n > 0) await cache.take(work, "k0", step.produces);
    }
    const kept = readdirSync(join(folder, "cache"));
    expect(kept).toContain("k0");
    expect(kept).toContain("k9");
    expect(kept).not.toContain("k1");
    expect(kept.length).toBeLessThanOrEqual(5);
  });

  it.each(["pipe", "symbolic link", "hard link"])(
    "waits for no %s that a tool left where another reads, and follows none",
    async (kind) => {
      const outside = join(folder, "outside");
      writeFileSync(outside, "mine");
      rmSync(join(work, "in.v"));
      if (kind === "pipe") execFileSync("mkfifo", [join(work, "in.v")]);
      else (kind === "hard link" ? linkSync : symlinkSync)(outside, join(work, "in.v"));
      await expect(stepKey(work, step)).rejects.toMatchObject({ reason: "OUTPUT_INVALID" });
    },
  );

  it("gives products over what a tool left under their name", async () => {
    const cache = open();
    writeFileSync(join(work, "out.json"), "made");
    await cache.keep(work, "k", step.produces);
    const outside = join(folder, "outside");
    writeFileSync(outside, "mine");
    rmSync(join(work, "out.json"));
    linkSync(outside, join(work, "out.json"));
    expect(await cache.take(work, "k", step.produces)).toBe(true);
    expect(readFileSync(outside, "utf8")).toBe("mine");
    expect(readFileSync(join(work, "out.json"), "utf8")).toBe("made");
  });

  it("keeps nothing when it may not", async () => {
    const cache = open(0);
    writeFileSync(join(work, "out.json"), "made");
    await cache.keep(work, "k", step.produces);
    expect(await cache.take(work, "k", step.produces)).toBe(false);
  });
});
