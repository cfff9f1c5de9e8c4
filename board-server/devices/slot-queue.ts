import { type AppError, fail } from "@/lib/common/errors";
import { nowNs } from "./clock";

/** Requests that wait at one slot; the next one is refused. */
export const maxQueued = 64;

interface Waiting {
  start(): void;
  refuse(error: AppError): void;
}

/** How long a task waits for its turn. */
export interface QueueOptions {
  /** The task must have begun within this many milliseconds. */
  readonly waitMs: number;
  /** The caller is gone: a task that has not begun never does. */
  readonly signal: AbortSignal;
}

/** First come, first served, `parallel` at a time. */
export class SlotQueue {
  private readonly parallel: number;
  private readonly waiting = new Set<Waiting>();
  private running = 0;
  private closed: AppError | null = null;
  private idle: (() => void) | null = null;

  constructor(parallel: number) {
    this.parallel = parallel;
  }

  /**
   * Runs a task when its turn comes; it is told how long it waited, in nanoseconds.
   *
   * @throws {AppError} `QUEUE_FULL` at once, `QUEUE_TIMEOUT`, `CANCELLED`, or what the slot was closed with.
   */
  async run<T>(task: (queuedNs: number) => Promise<T>, options: QueueOptions): Promise<T> {
    if (this.closed) throw this.closed;
    let queuedNs = 0;
    if (this.running < this.parallel) this.running++;
    else queuedNs = await this.turn(options);
    try {
      return await task(queuedNs);
    } finally {
      this.handOver();
    }
  }

  /** Refuses what waits and what comes, and resolves when nothing runs any more. */
  async close(error: AppError): Promise<void> {
    this.closed = error;
    for (const waiting of this.waiting) waiting.refuse(error);
    if (this.running > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private turn({ waitMs, signal }: QueueOptions): Promise<number> {
    if (this.waiting.size >= maxQueued) {
      throw fail("QUEUE_FULL", "Exceeds maximum queue size");
    }
    const since = nowNs();
    return new Promise<number>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.waiting.delete(entry);
      };
      const entry: Waiting = {
        start: () => {
          settle();
          resolve(nowNs() - since);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      const onAbort = (): void => entry.refuse(fail("CANCELLED", "the caller is gone"));
      const timer = setTimeout(
        () => entry.refuse(fail("QUEUE_TIMEOUT", "Request timeout expired")),
        waitMs,
      );
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiting.add(entry);
    });
  }

  /** Whoever waits longest takes the place of the task that ended. */
  private handOver(): void {
    const [first] = this.waiting;
    if (first) first.start();
    else if (--this.running === 0) this.idle?.();
  }
}
