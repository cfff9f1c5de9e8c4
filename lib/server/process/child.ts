import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type ChildEnd, ChildEnder, marker } from "./child-end";
import { type ChildLimits, LimitWatch } from "./child-limits";
import { ChildOutput, type OnOutput } from "./child-output";
import { findOnPath } from "./which";

/** How a child runs: its folder, environment, limits and outputs. */
export interface ChildOptions extends ChildLimits {
  /** An absolute path and its arguments; never a shell line. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** True when the child itself is a sandbox's monitor, which must not get the SIGTERM meant for the tool inside. */
  readonly monitored?: boolean;
  readonly onOutput: OnOutput;
}

/** How a child ended, by itself or by our hand. */
export interface ChildResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when we ended it. */
  readonly end: ChildEnd | null;
  readonly durationMs: number;
  readonly peakBytes: number;
}

/**
 * Runs a program in a process group of its own and leaves none of its processes behind: not forks, not daemons.
 * It dies with this process. Spawn from the main thread only: the parent-death signal fires when the spawning
 * thread ends.
 *
 * @throws {Error} of `spawn`, such as `ENOENT`. How the program ended is in the result.
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const { cwd, signal, graceMs = 10_000, monitored = false } = options;
  const id = randomUUID();
  const started = performance.now();
  const child = spawnMarked(options, id);
  const output = new ChildOutput(child, started, options.onOutput);
  const ender = new ChildEnder(child, { id, graceMs, monitored });
  const onAbort = () => ender.stop("aborted");
  const limits = new LimitWatch({
    pid: child.pid,
    cwd,
    output,
    limits: options,
    onOver: (why) => ender.stop(why),
  });
  try {
    const exited = exitOf(child);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const { exitCode, exitSignal } = await exited;
    await ender.reap();
    await lastOutput(closed, output, ender);
    await output.settle();
    return {
      exitCode,
      signal: exitSignal,
      end: ender.end,
      durationMs: performance.now() - started,
      peakBytes: limits.peakBytes,
    };
  } finally {
    limits.close();
    ender.close();
    signal?.removeEventListener("abort", onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Starts the program, marked with an id, in a group that dies with this process. */
function spawnMarked(
  { argv: wanted, cwd, env }: ChildOptions,
  id: string,
): ChildProcessByStdio<null, Readable, Readable> {
  const shim = findOnPath("setpriv");
  const argv = shim ? [shim, "--pdeathsig", "KILL", "--", ...wanted] : wanted;
  // Else Next's bundler takes what is spawned for a file of the whole project.
  return spawn(/* turbopackIgnore: true */ argv[0] ?? "", argv.slice(1), {
    cwd,
    // The type wants a NODE_ENV, which is for our own processes only.
    env: { ...env, [marker]: id } as unknown as NodeJS.ProcessEnv,
    detached: true,
    shell: false,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a process that got away still held open is closed by its death; waits only for what still comes. */
async function lastOutput(
  closed: Promise<void>,
  output: ChildOutput,
  ender: ChildEnder,
): Promise<void> {
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  for (let seen = -1; !isClosed && (output.isTaking || output.lastMs > seen); ) {
    seen = output.lastMs;
    await Promise.race([closed, delay(1000, undefined, { ref: false })]);
    if (ender.end !== null) break;
  }
}

function exitOf(child: ChildProcess) {
  return new Promise<{ exitCode: number | null; exitSignal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (exitCode, exitSignal) => resolve({ exitCode, exitSignal }));
    },
  );
}
