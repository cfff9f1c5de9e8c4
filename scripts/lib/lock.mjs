import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { livingProcess, markOf } from "./process-mark.mjs";

/** How long what a killed launcher left behind may take to end by itself; then it is killed. */
const leaveMs = 10_000;
const pauseMs = 100;

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

/**
 * Takes the data folder for this launcher, so that two never run on one. Waits while another starts or stops, and until
 * the processes of one that was killed are gone.
 *
 * @param {object} home
 * @param {{ portalUrl: string, gatewayUrl: string, onWait?: (state: string) => void }} options
 * @returns The lock, or under `serving` the addresses, and the variables of the stores, of the launcher that serves from this folder.
 */
export async function takeHome(home, { portalUrl, gatewayUrl, onWait = () => {} }) {
  const file = home.at("run", "launcher.json");
  const mine = { launcher: markOf(process.pid), state: "starting", portalUrl, gatewayUrl };
  let told = "";
  for (;;) {
    const text = readLock(file);
    if (text === null) {
      const lock = tryTake(file, mine);
      if (lock) return { lock };
      continue;
    }
    const holder = parseLock(text);
    if (holder && livingProcess(holder.launcher) !== null) {
      if (holder.state === "serving") return { serving: holder };
      if (told !== holder.state) onWait(holder.state);
      told = holder.state;
      await pause();
      continue;
    }
    await endOf(Object.values(holder?.processes ?? {}));
    removeStale(file, text);
  }
}

function readLock(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function parseLock(text) {
  try {
    const holder = JSON.parse(text);
    return typeof holder.launcher === "string" ? holder : null;
  } catch {
    return null;
  }
}

/** A link appears whole or not at all, and only where there is no other. */
function tryTake(file, entry) {
  const draft = `${file}.${process.pid}`;
  let state = { ...entry, processes: {} };
  const write = () => writeFileSync(draft, JSON.stringify(state, null, 2), { mode: 0o600 });
  write();
  try {
    linkSync(draft, file);
  } catch (error) {
    if (error.code === "EEXIST") return null;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const change = (more) => {
    state = { ...state, ...more };
    try {
      write();
      renameSync(draft, file);
    } catch {
      // A full disk is no reason to stop: what the lock says besides its holder is for others to know.
    }
  };
  return {
    /**
     * @param {string} now As others are told who wait: `starting`, `serving`, `stopping`, `backing up`
     * @param {Record<string, string>} [stores] The variables that reach the stores while it serves.
     */
    say: (now, stores) => change({ state: now, ...(stores ? { stores } : {}) }),
    /** What would be left over if this launcher were killed. */
    record: (name, pid) => change({ processes: { ...state.processes, [name]: markOf(pid) } }),
    release: () => rmSync(file, { force: true }),
  };
}

/** Removes the lock of a dead launcher, unless another took the folder meanwhile. */
function removeStale(file, text) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, file);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(error.code)) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

async function endOf(marks) {
  const deadline = Date.now() + leaveMs;
  for (;;) {
    const left = marks.map(livingProcess).filter((pid) => pid !== null);
    if (left.length === 0) return;
    if (Date.now() > deadline) for (const pid of left) process.kill(pid, "SIGKILL");
    await pause();
  }
}
