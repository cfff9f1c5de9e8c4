import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type ChildOptions, runChild } from "./child";

const cwd = mkdtempSync(join(tmpdir(), "child-"));
const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };

async function run(script: string, options: Partial<ChildOptions> = {}) {
  const output = { stdout: "", stderr: "" };
  const result = await runChild({
    argv: ["/bin/sh", "-c", script],
    cwd,
    env,
    graceMs: 200,
    onOutput: (stream, bytes) => {
      output[stream] += bytes.toString();
    },
    ...options,
  });
  return { ...result, ...output };
}

const alive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("runChild", () => {
  it("gives output, status and nothing of our environment", async () => {
    const { stdout, stderr, exitCode, end } = await run("env; echo oops >&2; exit 3");
    expect(stdout).toContain("PATH=/usr/local/bin:/usr/bin:/bin");
    expect(stdout).not.toContain("HOME=");
    expect([stderr, exitCode, end]).toEqual(["oops\n", 3, null]);
  });

  it("drains a flood while it runs", async () => {
    let bytes = 0;
    await run("head -c 20000000 /dev/zero", {
      onOutput: (_, chunk) => {
        bytes += chunk.length;
      },
    });
    expect(bytes).toBe(20_000_000);
  });

  it("tells the signal a program died by", async () => {
    expect(await run("kill -SEGV $$")).toMatchObject({ signal: "SIGSEGV", exitCode: null });
  });

  it("kills one that ignores SIGTERM at the wall limit", async () => {
    const { end, signal } = await run("trap '' TERM; while :; do sleep 0.05; done", {
      // Until then it must have begun to ignore it.
      wallMs: 2000,
    });
    expect([end, signal]).toEqual(["wall", "SIGKILL"]);
  });

  it("ends one that is silent for its idle limit", async () => {
    expect((await run("echo a; sleep 30", { idleMs: 300 })).end).toBe("idle");
  });

  it("ends one on abort", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { end, durationMs } = await run("sleep 30", { signal: stop.signal });
    expect(end).toBe("aborted");
    expect(durationMs).toBeLessThan(25_000);
  });

  it("leaves no daemon behind, though it left group, session and parent", async () => {
    const { stdout } = await run("setsid sh -c 'setsid sleep 300 & echo $!' & wait; sleep 0.3");
    const pid = Number(stdout.trim());
    expect(pid).toBeGreaterThan(1);
    expect(alive(pid)).toBe(false);
  });

  it("ends one that forks without limit", async () => {
    const { end, stdout } = await run('for i in $(seq 60); do sleep 300 & echo "$!"; done; wait', {
      processes: 20,
    });
    expect(end).toBe("processes");
    expect(stdout.trim().split("\n").map(Number).filter(alive)).toEqual([]);
  });

  it("ends one that holds more memory than it may", async () => {
    const script = "const a=[];setInterval(()=>a.push(Buffer.alloc(5e7,1)),10)";
    const result = await run("", {
      argv: [process.execPath, "-e", script],
      memoryBytes: 400e6,
      wallMs: 20_000,
    });
    expect(result.end).toBe("memory");
    expect(result.peakBytes).toBeGreaterThan(400e6);
  });

  it("dies with this process, though that is killed", async (context) => {
    if (!existsSync("/usr/bin/setpriv")) context.skip("no setpriv on this machine");
    const file = join(cwd, "parent.ts");
    writeFileSync(
      file,
      `import { runChild } from "@/lib/server/process";
       void runChild({ argv: ["/bin/sh", "-c", "echo $$; exec sleep 300"], cwd: "/", env: {},
         onOutput: (_, bytes) => { process.stdout.write(bytes); } });`,
    );
    const parent = spawn(process.execPath, ["--import", "tsx", file], {
      cwd: resolve("."),
      env: { NODE_ENV: "test", PATH: "/usr/bin:/bin", TSX_TSCONFIG_PATH: resolve("tsconfig.json") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [pid] = await once(parent.stdout, "data");
    expect(alive(Number(String(pid)))).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => alive(Number(String(pid)))).toBe(false);
  }, 60_000);
});
