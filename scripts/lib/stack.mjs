import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./home.mjs";
import { Fixable } from "./say.mjs";

/** The processes in the order they start; they stop in the reverse order, so that workers drain before the stores go. */
const entries = [
  { name: "portal", bundle: "portal-main.mjs" },
  { name: "gateway", bundle: "gateway-main.mjs" },
  { name: "control", bundle: "workers-control-main.mjs" },
  { name: "build-worker", bundle: "workers-build-main.mjs" },
  { name: "board-server", bundle: "board-server-main.mjs" },
];
export const processNames = entries.map((entry) => entry.name);

/**
 * Starts processes and starts them again when they die, each in a session of its own with a pipe as standard input:
 * its end tells them that the launcher is gone.
 */
export function startProcesses({
  home,
  bundles,
  variables,
  names = processNames,
  onRestart = () => {},
}) {
  const running = new Map();
  let stopping = false;
  const sourceDigest = readFileSync(join(bundles, "source-digest"), "utf8");

  const startOne = (name, extra = {}) => {
    if (stopping) throw new Error("the processes are being stopped");
    const entry = entries.find((each) => each.name === name);
    const file = home.logFile(name);
    if (existsSync(file) && statSync(file).size > 2e7) renameSync(file, `${file}.1`);
    const log = openSync(file, "a");
    const child = spawn(process.execPath, ["--enable-source-maps", join(bundles, entry.bundle)], {
      cwd: root,
      detached: true,
      stdio: ["pipe", log, log],
      env: {
        ...home.env,
        NODE_ENV: "production",
        BOARDWALK_HOME: home.path,
        BOARDWALK_BUNDLES: bundles,
        BOARDWALK_SOURCE_DIGEST: sourceDigest,
        BOARDWALK_WATCH_PARENT: "1",
        ...variables,
        ...extra,
      },
    });
    closeSync(log);
    child.stdin.on("error", () => {});
    const startedAt = Date.now();
    const exited = new Promise((resolve) => {
      child.once("error", () => resolve({ code: 1, signal: null }));
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const handle = { name, pid: child.pid, child, exited, extra, wanted: true };
    running.set(name, handle);
    void exited.then(async (end) => {
      if (stopping || !handle.wanted || running.get(name) !== handle) return;
      onRestart({ name, ...end });
      await new Promise((resolve) =>
        setTimeout(resolve, Date.now() - startedAt < 5000 ? 2000 : 100),
      );
      if (!stopping && handle.wanted && running.get(name) === handle) startOne(name);
    });
    return handle;
  };

  const stopOne = async (name, graceMs = 35_000) => {
    const handle = running.get(name);
    if (!handle) return;
    handle.wanted = false;
    running.delete(name);
    handle.child.kill("SIGTERM");
    const hard = setTimeout(() => killTree(handle.pid), graceMs);
    await handle.exited;
    clearTimeout(hard);
  };

  for (const name of names) startOne(name);
  return {
    running,
    /** Starts one again with extra variables: for tests. */
    start: startOne,
    stop: stopOne,
    /** SIGKILL by its id; it stays down until `start`. */
    async kill(name) {
      const handle = running.get(name);
      handle.wanted = false;
      process.kill(handle.pid, "SIGKILL");
      return handle.exited;
    },
    async stopAll(graceMs) {
      stopping = true;
      await Promise.all([...running.keys()].reverse().map((name) => stopOne(name, graceMs)));
    },
    killAll() {
      stopping = true;
      for (const { pid } of running.values()) killTree(pid);
    },
  };
}

function killTree(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Polls a URL until it answers below 500. */
export async function answers(url, { timeoutMs = 60_000, what }) {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(3000) });
      await answer.arrayBuffer();
      if (answer.status < 500) return;
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Fixable(`${what} does not answer at ${url} after ${Math.round(timeoutMs / 1000)} s.`);
}
