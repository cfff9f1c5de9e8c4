import { readdirSync, readFileSync } from "node:fs";

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

/** Bytes of real memory that a process holds now. */
export function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kib ?? 0) * 1024;
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
