import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
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
 * its end tells them that the launcher is gone. `gateway-2` is a second gateway.
 *
 * @param {object} options
 * @param {Record<string, () => Promise<object>>} [options.variablesOf] What a process needs anew at each start of its own.
 * @param {(name: string) => void} [options.onLost] Hears of a process that ends by itself again and again.
 * @param {number} [options.mostPauseMs] The longest pause before something that ended is started again.
 */
export function startProcesses({ names = processNames, ...options }) {
  const processes = new Processes(options);
  for (const name of names) processes.start(name);
  return processes;
}

class Processes {
  running = new Map();
  #offs = new Map();
  #isStopping = false;
  #options;
  #launch;

  constructor({
    home,
    bundles,
    variables,
    variablesOf = {},
    onSpawn = () => {},
    onEnded = () => {},
    onLost = () => {},
    mostPauseMs,
  }) {
    const sourceDigest = readFileSync(join(bundles, "source-digest"), "utf8");
    this.#options = { variablesOf, onSpawn, onEnded, onLost, mostPauseMs };
    this.#launch = (name, extra) =>
      launch(name, { home, bundles, sourceDigest, variables: { ...variables, ...extra } });
  }

  /** Starts one again with extra variables: for tests. */
  start(name, extra = {}) {
    if (this.#isStopping) throw new Error("the processes are being stopped");
    const child = this.#launch(name, extra);
    if (child.pid !== undefined) this.#options.onSpawn(name, child.pid);
    this.#offOf(name).started();
    const exited = new Promise((resolve) => {
      child.once("error", () => resolve({ code: 1, signal: null }));
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const handle = { name, pid: child.pid, child, exited, extra, wanted: true };
    this.running.set(name, handle);
    void exited.then((end) => this.#bringBack(handle, end));
    return handle;
  }

  async stop(name, graceMs = 35_000) {
    const handle = this.running.get(name);
    if (!handle) return;
    handle.wanted = false;
    this.running.delete(name);
    handle.child.kill("SIGTERM");
    const hard = setTimeout(() => killTree(handle.pid), graceMs);
    await handle.exited;
    clearTimeout(hard);
  }

  /** SIGKILL by its id; it stays down until `start`. */
  async kill(name) {
    const handle = this.running.get(name);
    handle.wanted = false;
    process.kill(handle.pid, "SIGKILL");
    return handle.exited;
  }

  async stopAll(graceMs) {
    this.#isStopping = true;
    await Promise.all([...this.running.keys()].reverse().map((name) => this.stop(name, graceMs)));
  }

  killAll() {
    this.#isStopping = true;
    for (const { pid } of this.running.values()) killTree(pid);
  }

  async #bringBack(handle, { code, signal }) {
    const { name } = handle;
    const { onEnded, onLost } = this.#options;
    const isWanted = () => !this.#isStopping && handle.wanted && this.running.get(name) === handle;
    const off = this.#offOf(name);
    if (!isWanted()) return;
    const { first, nextMs } = off.ended(signal);
    if (nextMs === null) return onLost(name);
    if (first) onEnded(name, signal ?? `status ${code}`);
    await pause(nextMs);
    while (isWanted()) {
      const extra = await this.#renewed(name);
      if (isWanted() && extra !== null) this.start(name, extra);
      else await pause(1000);
    }
  }

  #offOf(name) {
    const off = this.#offs.get(name) ?? backOff({ mostMs: this.#options.mostPauseMs });
    this.#offs.set(name, off);
    return off;
  }

  /** What a process needs anew; null while that cannot be had. */
  async #renewed(name) {
    try {
      return (await this.#options.variablesOf[name]?.()) ?? {};
    } catch {
      return null;
    }
  }
}

/** Spawns a process, whose words go to the end of its log. */
function launch(name, { home, bundles, sourceDigest, variables }) {
  const entry = entries.find((each) => each.name === name.replace(/-\d+$/, ""));
  const file = home.logFile(name);
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
    },
  });
  closeSync(log);
  child.stdin.on("error", () => {});
  return child;
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
    await pause(100);
  }
  throw new Fixable(`${what} does not answer at ${url} after ${Math.round(timeoutMs / 1000)} s.`);
}
