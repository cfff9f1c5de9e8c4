import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { descendantsOf, processesWith, residentBytes } from "./proc";
import { findOnPath } from "./which";

/** Why we ended a child ourselves. */
export type ChildEnd = "aborted" | "wall" | "idle" | "memory" | "processes";

export interface ChildOptions {
  /** An absolute path and its arguments; never a shell line. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Longest run, and longest silence on both outputs. */
  readonly wallMs?: number;
  readonly idleMs?: number;
  /** Resident memory of the whole tree. Address space is no measure: WebAssembly reserves 40 GiB of it. */
  readonly memoryBytes?: number;
  readonly processes?: number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** True when the child itself is a sandbox's monitor, which must not get the SIGTERM meant for the tool inside. */
  readonly monitored?: boolean;
  /** Called as output comes; both pipes are always drained. */
  readonly onOutput: (stream: "stdout" | "stderr", bytes: Buffer) => void;
}

export interface ChildResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when we ended it. */
  readonly end: ChildEnd | null;
  readonly durationMs: number;
  readonly peakBytes: number;
}

const watchMs = 250;
const marker = "BOARDWALK_CHILD";

/**
 * Runs a program in a process group of its own and leaves none of its processes behind: not forks, not daemons.
 * It dies with this process. Spawn from the main thread only: the parent-death signal fires when the spawning
 * thread ends.
 *
 * @throws {Error} of `spawn`, such as `ENOENT`. How the program ended is in the result.
 */
export async function runChild(options: ChildOptions): Promise<ChildResult> {
  const { cwd, signal, wallMs, idleMs, memoryBytes, processes, graceMs = 10_000 } = options;
  const id = randomUUID();
  const shim = findOnPath("setpriv");
  const argv = shim ? [shim, "--pdeathsig", "KILL", "--", ...options.argv] : options.argv;
  const started = performance.now();
  const child = spawn(argv[0] ?? "", argv.slice(1), {
    cwd,
    // The type wants a NODE_ENV, which is for our own processes only.
    env: { ...options.env, [marker]: id } as unknown as NodeJS.ProcessEnv,
    detached: true,
    shell: false,
    stdio: ["ignore", "pipe", "pipe"],
  });

  let lastOutput = started;
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (bytes: Buffer) => {
      lastOutput = performance.now();
      options.onOutput(stream, bytes);
    });
    child[stream].on("error", () => {});
  }

  let end: ChildEnd | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (why: ChildEnd) => {
    if (end !== null) return;
    end = why;
    if (why === "memory" || why === "processes") return killTree(child, id);
    terminate(child, options.monitored === true);
    killTimer = setTimeout(() => killTree(child, id), graceMs);
  };
  const onAbort = () => stop("aborted");
  let peakBytes = 0;
  const watch = setInterval(() => {
    const now = performance.now();
    const tree = child.pid === undefined ? [] : [child.pid, ...descendantsOf(child.pid)];
    const bytes = tree.reduce((sum, pid) => sum + residentBytes(pid), 0);
    peakBytes = Math.max(peakBytes, bytes);
    if (memoryBytes !== undefined && bytes > memoryBytes) stop("memory");
    else if (processes !== undefined && tree.length > processes) stop("processes");
    else if (wallMs !== undefined && now - started > wallMs) stop("wall");
    else if (idleMs !== undefined && now - lastOutput > idleMs) stop("idle");
  }, watchMs);

  try {
    const exited = exitOf(child);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    closed.catch(() => {});
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const { exitCode, exitSignal } = await exited;
    await reap(child, id);
    // What a process that got away still held open is closed by its death; do not wait for more than that.
    await Promise.race([closed, delay(1000, undefined, { ref: false })]);
    return {
      exitCode,
      signal: exitSignal,
      end,
      durationMs: performance.now() - started,
      peakBytes,
    };
  } finally {
    clearInterval(watch);
    clearTimeout(killTimer);
    signal?.removeEventListener("abort", onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
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

function terminate({ pid }: ChildProcess, monitored: boolean): void {
  if (pid === undefined) return;
  const inside = descendantsOf(pid);
  if (monitored && inside.length > 0) for (const one of inside) kill(one, "SIGTERM");
  else {
    kill(-pid, "SIGTERM");
    for (const one of inside) kill(one, "SIGTERM");
  }
}

/** SIGKILLs the group, everything below, and what left both but still carries our mark. */
function killTree({ pid }: ChildProcess, id: string): void {
  if (pid === undefined) return;
  const all = new Set([...descendantsOf(pid), ...processesWith(`${marker}=${id}`)]);
  kill(-pid, "SIGKILL");
  for (const one of all) kill(one, "SIGKILL");
}

/** After the child's own end: until nothing that carries our mark is alive. */
async function reap(child: ChildProcess, id: string): Promise<void> {
  killTree(child, id);
  for (let pass = 0; pass < 50 && processesWith(`${marker}=${id}`).length > 0; pass++) {
    killTree(child, id);
    await delay(20);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
