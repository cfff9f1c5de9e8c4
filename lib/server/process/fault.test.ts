import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
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

  it("does nothing unless its point is named", () => {
    expect(runWith({}).stdout).toBe("went on\n");
    expect(runWith({ BOARDWALK_FAULTS: "worker.in-nextpnr:kill" }).stdout).toBe("went on\n");
  });

  it("kills the process, says so in the log, and only as often as the file counts", () => {
    const [count, log] = [join(folder, "count"), join(folder, "log")];
    writeFileSync(count, "1");
    const env = {
      BOARDWALK_FAULTS: `portal.after-commit:kill,worker.in-yosys:kill:${count}`,
      BOARDWALK_FAULT_LOG: log,
    };
    expect(runWith(env).signal).toBe("SIGKILL");
    expect(readFileSync(log, "utf8")).toBe("worker.in-yosys\n");
    expect(runWith(env).stdout).toBe("went on\n");
    expect(existsSync(log)).toBe(true);
  });
});
