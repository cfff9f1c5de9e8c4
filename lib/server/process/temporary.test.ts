import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { makeTemporaryFolder, sweepTemporaryFolders } from "./temporary";

const folder = mkdtempSync(join(tmpdir(), "temporary-"));
vi.stubEnv("TMPDIR", folder);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("temporary folders", () => {
  it("stay while their process lives, and go when it is dead or its id another's", () => {
    const own = makeTemporaryFolder("upload");
    const name = basename(own);
    const { pid: dead } = spawnSync("/bin/true");
    const mine = `${process.pid.toString(36)}.`;
    const parent = name.replace(/-[0-9a-z]+\.[0-9a-z]+-/, `-${(1).toString(36)}.zzzz-`);
    const others = {
      ofDead: name.replace(mine, `${dead.toString(36)}.`),
      ofAnother: name.replace(/\.[0-9a-z]+-/, ".zzzz-"),
      ofFirst: parent,
      ofOtherHost: name.replace(/^bw-..../, "bw-zzzz"),
      ofSomebody: "bw-start-abcdef",
    };
    for (const each of Object.values(others))
      mkdirSync(join(folder, each, "in"), { recursive: true });
    sweepTemporaryFolders();
    expect(existsSync(own)).toBe(true);
    const left = Object.entries(others).filter(([, each]) => existsSync(join(folder, each)));
    expect(left.map(([key]) => key)).toEqual(["ofOtherHost", "ofSomebody"]);
  });

  it("leaves room for a socket's name in a deep folder", () => {
    expect(basename(makeTemporaryFolder("cpu")).length).toBeLessThan(40);
  });
});
