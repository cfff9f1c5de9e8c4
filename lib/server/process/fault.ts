import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { commonEnv } from "@/lib/server/env";

/** Every place where a test can make a process die. Each is seen to be hit by the fault tests. */
export const faultPoints = [
  "worker.before-claim",
  "worker.in-fetch",
  "worker.in-yosys",
  "worker.in-nextpnr",
  "worker.after-upload",
  "worker.after-commit",
  "control.after-add",
  "control.before-send",
  "control.after-send",
  "board-server.in-enrol",
  "board-server.in-download",
  "board-server.in-load",
  "board-server.in-infer",
  "gateway.in-infer",
  "portal.after-commit",
] as const;

/** A place at which tests can let this process die. */
export type FaultPoint = (typeof faultPoints)[number];

/**
 * Does nothing unless a test names the point in `BOARDWALK_FAULTS`, a comma-separated list of `point:kill[:count-file]`:
 * then the process logs the point to the file `BOARDWALK_FAULT_LOG` and kills itself with SIGKILL.
 * With a count file it does so only while the number in the file is above 0, and lowers it first.
 */
export function fault(point: FaultPoint): void {
  const { BOARDWALK_FAULTS: faults, BOARDWALK_FAULT_LOG: log } = commonEnv();
  if (faults === undefined) return;
  const wanted = faults.split(",").map((entry) => entry.split(":"));
  const [, action, ...rest] = wanted.find(([name]) => name === point) ?? [];
  if (action !== "kill") return;
  const countFile = rest.join(":");
  if (countFile !== "" && !takeOne(countFile)) return;
  if (log !== undefined) appendFileSync(log, `${point}\n`);
  process.kill(process.pid, "SIGKILL");
}

function takeOne(file: string): boolean {
  try {
    const left = Number(readFileSync(file, "utf8"));
    if (!(left > 0)) return false;
    writeFileSync(file, String(left - 1));
    return true;
  } catch {
    return false;
  }
}
