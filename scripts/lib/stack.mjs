import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { backOff } from "./back-off.mjs";
import { root } from "./home.mjs";
import { Fixable } from "./say.mjs";

/** The processes in the order they start; they stop in the reverse order, so that workers drain before the stores go. */
export const entries = [
  { name: "portal", bundle: "portal-main.mjs" },
  { name: "gateway", bundle: "gateway-main.mjs" },
  { name: "control", bundle: "workers-control-main.mjs" },
  { name: "build-worker", bundle: "workers-builds-main.mjs" },
  { name: "board-server", bundle: "board-server-main.mjs" },
];
export const processNames = entries.map((entry) => entry.name);

/**
 * Starts processes and starts them again when they die, each in a session of its own with a pipe as standard input:
 * its end tells them that the launcher is gone.
 *
 * @param {object} options
 * @param {Record<string, () => Promise<object>>} [options.variablesOf] What a process needs anew at each start of its own.
 * @param {(name: string) => void} [options.onLost] Hears of a process that ends by itself again and again.
 */
export function startProcesses({
  home,
  bundles,
  variables,
  names = processNames,
  variablesOf = {},
  onSpawn = () => {},
  onEnded = () => {},
  onLost = () => {},
}) {
  const running = new Map();
  const offs = new Map(processNames.map((name) => [name, backOff()]));
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
    if (child.pid !== undefined) onSpawn(name, child.pid);
    offs.get(name).started();
    const exited = new Promise((resolve) => {
      child.once("error", () => resolve({ code: 1, signal: null }));
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const handle = { name, pid: child.pid, child, exited, extra, wanted: true };
    running.set(name, handle);
    void exited.then((end) => bringBack(handle, end));
    return handle;
  };

  /** What a process needs anew; null while that cannot be had. */
  const renewed = async (name) => {
    try {
      return (await variablesOf[name]?.()) ?? {};
    } catch {
      return null;
    }
  };

  const bringBack = async (handle, { code, signal }) => {
    const { name } = handle;
    const isWanted = () => !stopping && handle.wanted && running.get(name) === handle;
    const off = offs.get(name);
    if (!isWanted()) return;
    const { first, nextMs } = off.ended(signal);
    if (nextMs === null) return onLost(name);
    if (first) onEnded(name, signal ?? `status ${code}`);
    await pause(nextMs);
    while (isWanted()) {
      const extra = await renewed(name);
      if (isWanted() && extra !== null) startOne(name, extra);
      else await pause(1000);
    }
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

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
    await pause(100);
  }
  throw new Fixable(`${what} does not answer at ${url} after ${Math.round(timeoutMs / 1000)} s.`);
}
