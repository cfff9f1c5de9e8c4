import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { descendantsOf, processesWith } from "./proc";

/** Why we ended a child ourselves. */
export type ChildEnd =
  | "aborted"
  | "wall"
  | "idle"
  | "memory"
  | "processes"
  | "cpu"
  | "disk"
  | "files";

/** The environment variable that marks a child and whatever it starts. */
export const marker = "BOARDWALK_CHILD";

/** How long a monitor has to notice that all below it was killed. */
const monitorMs = 2000;
/** Ends that nothing is gained from asking for: what is held must be let go at once. */
const atOnce: ReadonlySet<ChildEnd> = new Set(["memory", "processes", "disk", "files"]);

interface EnderOptions {
  /** What the child is marked with. */
  readonly id: string;
  readonly graceMs: number;
  readonly monitored: boolean;
}

/** Ends a child once, for one reason: SIGTERM, then SIGKILL for all that is left of it. */
export class ChildEnder {
  /** Set when we ended it. */
  end: ChildEnd | null = null;
  private killTimer: NodeJS.Timeout | undefined;
  private readonly child: ChildProcess;
  private readonly options: EnderOptions;

  constructor(child: ChildProcess, options: EnderOptions) {
    this.child = child;
    this.options = options;
  }

  stop(why: ChildEnd): void {
    if (this.end !== null) return;
    this.end = why;
    const { monitored, graceMs } = this.options;
    if (!atOnce.has(why)) terminate(this.child, monitored);
    this.killTimer = setTimeout(() => this.kill(), atOnce.has(why) ? 0 : graceMs);
  }

  /** After the child's own end: until nothing that carries our mark is alive. */
  async reap(): Promise<void> {
    const { id } = this.options;
    killTree(this.child, id);
    for (let pass = 0; pass < 50 && processesWith(`${marker}=${id}`).length > 0; pass++) {
      killTree(this.child, id);
      await delay(20);
    }
  }

  /** Kills nothing any more. */
  close(): void {
    clearTimeout(this.killTimer);
  }

  /** A monitor goes last: without it, what is below would be nobody's. It ends by itself when that is gone. */
  private kill(): void {
    const { child } = this;
    const { id, monitored } = this.options;
    if (!monitored || child.pid === undefined) {
      killTree(child, id);
      return;
    }
    for (const one of descendantsOf(child.pid)) send(one, "SIGKILL");
    this.killTimer = setTimeout(() => killTree(child, id), monitorMs);
  }
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

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
