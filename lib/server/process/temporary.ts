import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { systemCodeOf } from "@/lib/common/errors";
import { startTicks } from "./proc";

/** `bw-<host>-<pid>.<start>-`: whose a folder is. Ids are used again, starts are not. */
const pattern = /^bw-([0-9a-z]{4})-([0-9a-z]+)\.([0-9a-z]+)-/;
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 4);
const startOf = (pid: number): string => startTicks(pid)?.toString(36) ?? "0";

/** Makes a folder for this process in the system's temporary folder. Should the process be killed, a later one sweeps it. */
export function makeTemporaryFolder(purpose: string): string {
  const owner = `${process.pid.toString(36)}.${startOf(process.pid)}`;
  return mkdtempSync(join(tmpdir(), `bw-${host}-${owner}-${purpose}-`));
}

/** Removes the temporary folders of our processes that are dead. A living one's stays, whatever it does. */
export function sweepTemporaryFolders(): void {
  const folder = tmpdir();
  for (const name of readdirSync(folder)) {
    const [, where, pid = "", start = ""] = pattern.exec(name) ?? [];
    if (where !== host || isAlive(Number.parseInt(pid, 36), start)) continue;
    try {
      const path = join(folder, name);
      const found = lstatSync(path);
      const ours = process.getuid === undefined || found.uid === process.getuid();
      if (ours && found.isDirectory()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process sweeps too.
    }
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") return false;
  }
  return startOf(pid) === start;
}
