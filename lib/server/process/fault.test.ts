import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { faultPoints } from "./fault";

const folder = mkdtempSync(join(tmpdir(), "fault-"));

function runWith(env: Record<string, string>) {
  const source = `import { fault } from "@/lib/server/process";fault("worker.in-yosys");console.log("went on")`;
  const file = join(folder, "try.ts");
  writeFileSync(file, source);
  return spawnSync(process.execPath, ["--import", "tsx", file], {
    cwd: resolve("."),
    env: {
      NODE_ENV: "test",
      PATH: "/usr/bin:/bin",
      TSX_TSCONFIG_PATH: resolve("tsconfig.json"),
      ...env,
    },
    encoding: "utf8",
  });
}

describe("fault", () => {
  it("has each point once", () => {
    expect(new Set(faultPoints).size).toBe(faultPoints.length);
  });

  it("does nothing unless its point is armed", () => {
    expect(runWith({}).stdout).toBe("went on\n");
    writeFileSync(join(folder, "worker.in-nextpnr"), "");
    expect(runWith({ BOARDWALK_FAULTS: folder }).stdout).toBe("went on\n");
  });

  it("kills the process once, and disarms its point", () => {
    writeFileSync(join(folder, "worker.in-yosys"), "");
    const env = { BOARDWALK_FAULTS: folder };
    expect(runWith(env).signal).toBe("SIGKILL");
    expect(existsSync(join(folder, "worker.in-yosys"))).toBe(false);
    expect(runWith(env).stdout).toBe("went on\n");
  });
});
