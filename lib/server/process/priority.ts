import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** Of 19: a thread of the usual priority is given nine times as much of a core that both want. */
const niceness = 10;

/** Lets all other threads go first where this one would take a core from them. Does nothing where only processes have a priority. */
export function lowerThreadPriority(): void {
  try {
    // Linux takes the number of a thread for that of a process.
    const thread = Number(basename(readlinkSync("/proc/thread-self")));
    setPriority(thread, Math.max(getPriority(thread), niceness));
  } catch {
    // Slower for others, not wrong.
  }
}
