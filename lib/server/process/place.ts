import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Name of this process, by which others of the same machine can tell that it is over: host, number, start, and the process
 * table that these mean anything in.
 */
export function processName(): string {
  const place = placeHere();
  const name = `${hostname()}-${process.pid}`;
  return place === null ? name : `${name}-${startOf(process.pid)}-${place}`;
}

/** Whether a name is that of a process of this very machine and process table which is over. A stopped one is not. */
export function isOver(name: string): boolean {
  const [, pid, start, place] = /-(\d+)-(\d+)-([0-9a-f]{16})$/.exec(name) ?? [];
  if (pid === undefined || place !== placeHere()) return false;
  return startOf(Number(pid)) !== start;
}

/** Of this boot of this machine and this process table: containers and other machines count processes anew. */
function placeHere(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    const table = readlinkSync("/proc/self/ns/pid");
    return createHash("sha256").update(`${boot} ${table}`).digest("hex").slice(0, 16);
  } catch {
    return null;
  }
}

/** When a process started, in ticks since the boot; null where there is none, or only what a parent did not wait for. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
