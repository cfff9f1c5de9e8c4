import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

/** Called as output comes. While a promise that it gave is open, the child's pipe is not read: it waits, and is not silent. */
export type OnOutput = (stream: "stdout" | "stderr", bytes: Buffer) => void | Promise<void>;

/** What a child writes, given on at the pace of whoever takes it. */
export class ChildOutput {
  /** When the child wrote last, or was read on. */
  lastMs: number;
  private readonly taking = new Set<Promise<void>>();
  private refused: { readonly why: unknown } | null = null;
  private readonly onOutput: OnOutput;

  constructor(
    child: ChildProcessByStdio<null, Readable, Readable>,
    startedMs: number,
    onOutput: OnOutput,
  ) {
    this.lastMs = startedMs;
    this.onOutput = onOutput;
    for (const stream of ["stdout", "stderr"] as const) {
      const pipe = child[stream];
      pipe.on("data", (bytes: Buffer) => this.give(stream, pipe, bytes));
      pipe.on("error", () => {});
    }
  }

  /** Some of it is being taken: the child waits for us. */
  get isTaking(): boolean {
    return this.taking.size > 0;
  }

  /**
   * Resolves once all is taken.
   *
   * @throws What taking failed with first.
   */
  async settle(): Promise<void> {
    await Promise.all(this.taking);
    if (this.refused) throw this.refused.why;
  }

  private give(stream: "stdout" | "stderr", pipe: Readable, bytes: Buffer): void {
    this.lastMs = performance.now();
    const taken = this.onOutput(stream, bytes);
    if (!taken) return;
    const turn = this.take(pipe, taken).finally(() => this.taking.delete(turn));
    this.taking.add(turn);
  }

  private async take(pipe: Readable, taken: Promise<void>): Promise<void> {
    pipe.pause();
    await taken.catch((why: unknown) => {
      this.refused ??= { why };
    });
    this.lastMs = performance.now();
    pipe.resume();
  }
}
