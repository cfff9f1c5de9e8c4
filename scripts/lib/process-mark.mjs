import { readFileSync } from "node:fs";

/** When a process started, in ticks since the machine did: a process that got the same id later has another. Empty where unknown. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command's name, in brackets, may hold anything; the fields after the last bracket are fixed.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return "";
  }
}

/** A text that names one process for ever, though its id is used again. */
export const markOf = (pid) => `${pid}@${startOf(pid)}`;

/** The id of the process that a mark names while it lives, else null. A zombie counts as gone. */
export function livingProcess(mark) {
  const [pid, start] = mark.split("@");
  try {
    process.kill(Number(pid), 0);
    const stat = start === "" ? "" : readFileSync(`/proc/${pid}/stat`, "latin1");
    if (/\) [ZX] /.test(stat) || (start !== "" && startOf(pid) !== start)) return null;
    return Number(pid);
  } catch (error) {
    return error.code === "EPERM" ? Number(pid) : null;
  }
}
