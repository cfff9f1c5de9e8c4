import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { commonEnv } from "@/lib/server/env";

/** Places between store calls where a test can make a process die. Each is seen to be hit by the fault tests. */
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
 * Does nothing unless a test arms the point by a file of its name in the folder `BOARDWALK_FAULTS`: then the process takes
 * the file away and kills itself with SIGKILL. A point that is to be hit again is armed again.
 */
export function fault(point: FaultPoint): void {
  const { BOARDWALK_FAULTS: folder } = commonEnv();
  if (folder !== undefined) killAt(folder, point);
}

/** Kills this process if the point is armed. Of several processes that come to it at once, one finds the file. */
export function killAt(folder: string, point: string): void {
  try {
    unlinkSync(join(folder, point));
  } catch {
    return;
  }
  process.kill(process.pid, "SIGKILL");
}
