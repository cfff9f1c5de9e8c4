import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { Fixable } from "./say.mjs";
import { openly } from "./umask.mjs";

/** Commands under way. */
const commands = new Set();

/** Ends what `run` has under way: for a launcher that leaves early. */
export function killCommands() {
  for (const child of commands) child.kill("SIGTERM");
}

/** The last lines of a text, for an error that points at a log. */
export const tail = (text, count = 12) => text.trimEnd().split("\n").slice(-count).join("\n");

/**
 * Runs a command to its end with its output in a file; the error carries the end of that file.
 *
 * `fix` is one sentence that says what a person can do when it fails; `shared` leaves what it writes to the person's own
 * file modes, where it writes outside the data folder.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: object, logFile: string, fix: string, input?: string, uid?: number, gid?: number, timeoutMs?: number, shared?: boolean }} options
 */
export function run(command, args, { cwd, env, logFile, fix, input, uid, gid, timeoutMs, shared }) {
  return new Promise((resolve, reject) => {
    const log = openSync(logFile, "w");
    const start = () => spawn(command, args, { cwd, env, uid, gid, stdio: ["pipe", log, log] });
    const child = shared ? openly(start) : start();
    commands.add(child);
    const timer = timeoutMs && setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    const finish = (failure) => {
      if (timer) clearTimeout(timer);
      commands.delete(child);
      closeSync(log);
      if (!failure) return resolve();
      reject(new Fixable(`${fix}\n\n${failure}\n${tail(readFileSync(logFile, "utf8"))}`));
    };
    child.on("error", (error) => finish(`${command} could not be started: ${error.message}`));
    child.on("close", (code, signal) =>
      finish(code === 0 ? "" : `${command} ended with ${signal ?? `status ${code}`}:`),
    );
  });
}

/** The output of a short command, or null when it cannot be run or fails. */
export function ask(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 20_000);
    child.stdout.on("data", (data) => (text += data));
    child.stderr.on("data", (data) => (text += data));
    child.on("error", () => {
      clearTimeout(timer);
      resolve(null);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? text.trim() : null);
    });
  });
}
