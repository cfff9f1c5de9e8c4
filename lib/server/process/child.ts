import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { cpuMsOf, descendantsOf, folderBytes, processesWith, residentBytes } from "./proc";
import { findOnPath } from "./which";

/** Why we ended a child ourselves. */
export type ChildEnd = "aborted" | "wall" | "idle" | "memory" | "processes" | "cpu" | "disk";

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
  /** Processor time of the whole tree, with that of processes which are over. */
  readonly cpuMs?: number;
  /** What the working folder may come to hold. */
  readonly diskBytes?: number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** True when the child itself is a sandbox's monitor, which must not get the SIGTERM meant for the tool inside. */
  readonly monitored?: boolean;
  /** Called as output comes. While a promise that it gave is open, the child's pipe is not read: it waits, and is not silent. */
  readonly onOutput: (stream: "stdout" | "stderr", bytes: Buffer) => void | Promise<void>;
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
/** Between looks at the folder, which cost a call for each file of it. */
const diskWatchMs = 1000;
/** How long a monitor has to notice that all below it was killed. */
const monitorMs = 2000;
/** Ends that nothing is gained from asking for: what is held must be let go at once. */
const atOnce: ReadonlySet<ChildEnd> = new Set(["memory", "processes", "disk"]);
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
  const taking = new Set<Promise<void>>();
  let refused: { readonly why: unknown } | null = null;
  const take = async (pipe: Readable, taken: Promise<void>) => {
    pipe.pause();
    await taken.catch((why: unknown) => {
      refused ??= { why };
    });
    lastOutput = performance.now();
    pipe.resume();
  };
  for (const stream of ["stdout", "stderr"] as const) {
    const pipe = child[stream];
    pipe.on("data", (bytes: Buffer) => {
      lastOutput = performance.now();
      const taken = options.onOutput(stream, bytes);
      if (!taken) return;
      const turn = take(pipe, taken).finally(() => taking.delete(turn));
      taking.add(turn);
    });
    pipe.on("error", () => {});
  }

  let end: ChildEnd | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (why: ChildEnd) => {
    if (end !== null) return;
    end = why;
    if (!atOnce.has(why)) terminate(child, options.monitored === true);
    killTimer = setTimeout(kill, atOnce.has(why) ? 0 : graceMs);
  };
  /** A monitor goes last: without it, what is below would be nobody's. It ends by itself when that is gone. */
  const kill = () => {
    if (options.monitored !== true || child.pid === undefined) return killTree(child, id);
    for (const one of descendantsOf(child.pid)) send(one, "SIGKILL");
    killTimer = setTimeout(() => killTree(child, id), monitorMs);
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
    else if (options.cpuMs !== undefined && cpuMsOf(tree) > options.cpuMs) stop("cpu");
    else if (idleMs !== undefined && taking.size === 0 && now - lastOutput > idleMs) stop("idle");
  }, watchMs);

  const { diskBytes } = options;
  const diskWatch =
    diskBytes === undefined
      ? undefined
      : setInterval(() => {
          if (folderBytes(cwd, diskBytes) > diskBytes) stop("disk");
        }, diskWatchMs);
  const wallTimer = wallMs === undefined ? undefined : setTimeout(() => stop("wall"), wallMs);

  try {
    const exited = exitOf(child);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    closed.catch(() => {});
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const { exitCode, exitSignal } = await exited;
    await reap(child, id);
    // What a process that got away still held open is closed by its death; wait only for what still comes.
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    for (let seen = -1; !isClosed && (taking.size > 0 || lastOutput > seen); ) {
      seen = lastOutput;
      await Promise.race([closed, delay(1000, undefined, { ref: false })]);
      if (end !== null) break;
    }
    await Promise.all(taking);
    if (refused) throw (refused as { readonly why: unknown }).why;
    return {
      exitCode,
      signal: exitSignal,
      end,
      durationMs: performance.now() - started,
      peakBytes,
    };
  } finally {
    clearInterval(watch);
    clearInterval(diskWatch);
    clearTimeout(wallTimer);
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
  if (monitored && inside.length > 0) for (const one of inside) send(one, "SIGTERM");
  else {
    send(-pid, "SIGTERM");
    for (const one of inside) send(one, "SIGTERM");
  }
}

/** SIGKILLs the group, everything below, and what left both but still carries our mark. */
function killTree({ pid }: ChildProcess, id: string): void {
  if (pid === undefined) return;
  const all = new Set([...descendantsOf(pid), ...processesWith(`${marker}=${id}`)]);
  send(-pid, "SIGKILL");
  for (const one of all) send(one, "SIGKILL");
}

/** After the child's own end: until nothing that carries our mark is alive. */
async function reap(child: ChildProcess, id: string): Promise<void> {
  killTree(child, id);
  for (let pass = 0; pass < 50 && processesWith(`${marker}=${id}`).length > 0; pass++) {
    killTree(child, id);
    await delay(20);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
