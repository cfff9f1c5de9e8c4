import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Installation } from "@/tests/support/installation";
import type { Fault } from "./schedule";

/** Does a fault to an installation, and answers when it is over; what was killed is started again by the launcher's own code. */
export async function strike(installation: Installation, fault: Fault): Promise<void> {
  if (fault.kind === "toxic") {
    const link = installation.links.of(fault.store);
    link.set(fault.toxic);
    await delay(fault.forMs);
    link.set(null);
    return;
  }
  const pid = pidOf(installation, fault.victim);
  // It is being started again.
  if (pid === undefined) return;
  if (fault.kind === "kill") {
    signal(pid, "SIGKILL");
    return;
  }
  // Postgres is as many processes as it has connections.
  const frozen = [pid, ...(fault.victim === "postgres" ? childrenOf(pid) : [])];
  for (const each of frozen) signal(each, "SIGSTOP");
  await delay(fault.forMs);
  for (const each of frozen) signal(each, "SIGCONT");
}

/** Kills everything at once: processes and stores. */
export function strikeAll({ processes, stores }: Installation): void {
  for (const { pid } of processes.running.values()) if (pid !== undefined) signal(pid, "SIGKILL");
  for (const pid of stores.pids.values()) signal(pid, "SIGKILL");
}

function pidOf({ processes, stores }: Installation, victim: string): number | undefined {
  return processes.running.get(victim)?.pid ?? stores.pids.get(victim);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

function childrenOf(parent: number): number[] {
  return processIds().filter((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
  });
}

/** Processes that were started for a data folder and still live, by their command lines. */
export function processesOf(home: string): string[] {
  return processIds()
    .filter((pid) => pid !== process.pid && read(`/proc/${pid}/environ`).includes(home))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 200)}`);
}

const processIds = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
