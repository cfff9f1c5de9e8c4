import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@/lib/common/errors";
import { runChild } from "@/lib/server/process";
import { findFullDisk } from "./full-disk";
import type { Sandbox } from "./sandbox";
import type { Tool, ToolCall } from "./tool";

export interface ToolRun extends ToolCall {
  readonly tool: Tool;
  readonly sandbox: Sandbox;
  readonly work: string;
  /** A folder in it that is emptied, and in which the tool runs. */
  readonly folder?: string;
  readonly timeoutS: number;
  readonly limits?: Partial<ToolLimits>;
  readonly idleS?: number;
  readonly graceMs?: number;
  readonly signal: AbortSignal;
  /** As of `runChild`. */
  readonly onOutput: (stream: "stdout" | "stderr", bytes: Buffer) => void | Promise<void>;
}

/** What one tool may use, with all that it starts. */
export interface ToolLimits {
  readonly memoryBytes: number;
  readonly cpuS: number;
  /** What its work folder may come to hold. */
  readonly diskBytes: number;
  readonly files: number;
}

const defaults = {
  limits: { memoryBytes: 8 * 2 ** 30, cpuS: 4 * 3600, diskBytes: 20 * 2 ** 30, files: 100_000 },
  idleS: 1800,
  processes: 256,
} as const;

/**
 * Runs one tool to its end. Exit status 0 proves nothing: the caller opens what it promised.
 *
 * @throws {AppError} `TOOL_FAILED`, `TOOL_SIGNAL`, `TOOL_MEMORY`, `TOOL_CPU`, `NO_SPACE`, `TOOL_TIMED_OUT`; what the signal carries when aborted.
 */
export async function runTool(run: ToolRun): Promise<void> {
  const { tool, sandbox, work, signal } = run;
  const { idleS = defaults.idleS } = run;
  const { memoryBytes, cpuS, diskBytes, files } = { ...defaults.limits, ...run.limits };
  // What an earlier step left under a promised name must not pass for this one's product.
  await Promise.all(
    run.produces.map((path) => rm(join(work, path), { recursive: true, force: true })),
  );
  const cwd = run.folder === undefined ? work : await emptyFolder(work, run.folder);
  const { exitCode, ...result } = await runChild({
    argv: sandbox.wrap({ argv: tool.argv(run), work, cwd, needs: tool.needs }),
    cwd,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: work,
      TMPDIR: sandbox.kind === "bubblewrap" ? "/tmp" : work,
      LANG: "C.UTF-8",
      ...tool.env,
    },
    signal,
    wallMs: run.timeoutS * 1000,
    idleMs: idleS * 1000,
    memoryBytes,
    cpuMs: cpuS * 1000,
    diskBytes,
    files,
    processes: defaults.processes,
    monitored: sandbox.monitored,
    ...(run.graceMs === undefined ? {} : { graceMs: run.graceMs }),
    onOutput: run.onOutput,
  });
  const { command } = tool;
  switch (result.end) {
    case "aborted":
      throw signal.reason;
    case "wall":
      throw fail("TOOL_TIMED_OUT", `${command} ran longer than ${run.timeoutS} s.`);
    case "idle":
      throw fail("TOOL_TIMED_OUT", `${command} was silent for ${idleS} s.`);
    case "memory":
      throw fail("TOOL_MEMORY", `${command} needed more than ${memoryBytes / 2 ** 20} MiB.`);
    case "cpu":
      throw fail("TOOL_CPU", `${command} used more than ${cpuS} s of processor time.`, {
        hint: "A smaller model, or one with fewer lanes, takes less.",
      });
    case "disk":
      throw noSpace(command, diskBytes);
    case "files":
      throw fail("NO_SPACE", `${command} left more than ${files} files in its folder.`);
    case "processes":
      throw fail("TOOL_FAILED", `${command} started more than ${defaults.processes} processes.`);
    case null:
      break;
  }
  const name = result.signal ?? signalOfStatus(exitCode);
  if (name === "SIGXFSZ") throw noSpace(command, diskBytes);
  if (name === null && exitCode === 0) return;
  const fullDisk = await findFullDisk(work);
  if (fullDisk) throw fullDisk;
  if (name !== null) throw fail("TOOL_SIGNAL", `${command} died by ${name}.`);
  throw fail("TOOL_FAILED", `${command} ended with status ${exitCode}.`, {
    hint: "Its last lines in the log say why.",
  });
}

async function emptyFolder(work: string, name: string): Promise<string> {
  const folder = join(work, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

const noSpace = (command: string, bytes: number) =>
  fail("NO_SPACE", `${command} wrote more than its folder may hold, ${bytes / 2 ** 20} MiB.`);

/** A monitor tells of a signal as a shell does: 128 and its number. */
function signalOfStatus(status: number | null): string | null {
  const names: Readonly<Record<number, string>> = {
    132: "SIGILL",
    133: "SIGTRAP",
    134: "SIGABRT",
    135: "SIGBUS",
    136: "SIGFPE",
    137: "SIGKILL",
    139: "SIGSEGV",
    143: "SIGTERM",
    153: "SIGXFSZ",
  };
  return names[status ?? 0] ?? null;
}
