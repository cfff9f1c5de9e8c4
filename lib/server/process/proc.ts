import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Linux's process table. Elsewhere everything here answers "nothing", and callers do without. */

interface Entry {
  readonly pid: number;
  readonly parent: number;
}

function processTable(): Entry[] {
  return pids().flatMap((pid) => {
    // The command's name, in brackets, may hold anything; the fields after the last bracket are fixed.
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const parent = Number(fields[1]);
    return fields[0] === "Z" || !Number.isInteger(parent) ? [] : [{ pid, parent }];
  });
}

/** Living processes below `root` by parenthood, without `root` itself. */
export function descendantsOf(root: number): number[] {
  const table = processTable();
  const found: number[] = [];
  let level = [root];
  while (level.length > 0) {
    const parents = new Set(level);
    level = table.filter(({ parent }) => parents.has(parent)).map(({ pid }) => pid);
    found.push(...level);
  }
  return found;
}

/** Living processes that carry `NAME=value` in their environment, wherever they were re-parented to. */
export function processesWith(variable: string): number[] {
  const needle = `\0${variable}\0`;
  return pids().filter((pid) => `\0${read(`/proc/${pid}/environ`)}`.includes(needle));
}

/** When a process started, in ticks since the machine did; null where that is unknown. */
export function startTicks(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`);
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  return Number.isInteger(ticks) ? ticks : null;
}

/** Bytes of real memory that a process holds now. */
export function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kib ?? 0) * 1024;
}

/** Linux counts processor time in hundredths of a second, on every architecture. */
const msPerTick = 10;

/** Processor time of processes, with that of their children which are over and were waited for, unless it is not wanted. */
export function cpuMsOf(processes: readonly number[], { withChildren = true } = {}): number {
  return processes.reduce((sum, pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime, stime, cutime, cstime: see proc(5), counted from the state.
    const times = fields.slice(11, withChildren ? 15 : 13);
    const ticks = times.reduce((total, field) => total + (Number(field) || 0), 0);
    return sum + ticks * msPerTick;
  }, 0);
}

interface FolderSize {
  /** What its files take on the disk. */
  readonly bytes: number;
  /** All that lies in it, folders as well. */
  readonly files: number;
}

/** How large a folder is. Looks no further once it is larger than `enough`, since each file takes a call. */
export function measureFolder(folder: string, enough: FolderSize): FolderSize {
  let [bytes, files] = [0, 0];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of list(next)) {
      files += 1;
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += 512 * (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0);
      if (files > enough.files || bytes > enough.bytes) return { bytes, files };
    }
  }
  return { bytes, files };
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
