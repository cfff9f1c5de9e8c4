import { setTimeout as delay } from "node:timers/promises";
import type { LogLine } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { Spill } from "./spill";

export const chunkLimits = { bytes: 64 * 1024, ms: 250 } as const;
/** Stored bytes of one attempt's log, of which the last part is kept for its end. */
export const logLimits = { stored: 64 * 2 ** 20, tail: 2 ** 20 } as const;

/** A line before it has its number. Without a time it is of now. */
export type NewLine = Pick<LogLine, "stage" | "stream" | "level" | "text"> &
  Partial<Pick<LogLine, "time">>;

/** Numbers of the first and the last line of something. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

export interface LogWriterOptions {
  /** Stores lines in order; called again with the same ones when it threw because the store was away. */
  readonly append: (lines: readonly LogLine[], truncated: boolean) => Promise<void>;
  /** Where lines wait when the store is away for long. */
  readonly spillPath: string;
  readonly limits?: { readonly stored: number; readonly tail: number };
  /** Lines kept in memory before they go to the file. */
  readonly memoryBytes?: number;
  /** Told when lines can never be stored: the lease is lost. */
  readonly onLost?: (error: unknown) => void;
}

/** What a line takes in the store, its newline included. */
export const storedBytes = ({ text }: Pick<LogLine, "text">) => Buffer.byteLength(text) + 1;

/**
 * Numbers lines densely from 1 and stores them in chunks of at most 64 KiB, at most 250 ms after they came. The
 * writer of a line never waits. Past the cap only the last MiB is kept, after one line that says so.
 */
export class LogWriter {
  private readonly options: LogWriterOptions;
  private readonly spill: Spill<LogLine>;
  private waiting: LogLine[] = [];
  private waitingBytes = 0;
  private written = 0;
  private lines = 0;
  private readonly spans = new Map<LogLine["stage"], LineSpan>();
  private tail: (NewLine & { time: string })[] = [];
  private tailBytes = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | null = null;
  private pumping: Promise<void> | null = null;
  private lost = false;

  constructor(options: LogWriterOptions) {
    this.options = options;
    this.spill = new Spill(options.spillPath);
  }

  /** A stage's lines among those that have a number; others may lie between. Null while there are none. */
  linesOf(stage: LogLine["stage"]): LineSpan | null {
    return this.spans.get(stage) ?? null;
  }

  get truncated(): boolean {
    return this.leftOut > 0;
  }

  write(line: NewLine): void {
    const { stored, tail } = this.options.limits ?? logLimits;
    const timed = { time: new Date().toISOString(), ...line };
    if (this.tail.length > 0 || this.written + storedBytes(line) > stored - tail) {
      this.tail.push(timed);
      this.tailBytes += storedBytes(line);
      while (this.tailBytes > tail - 1024) {
        const oldest = this.tail.shift();
        if (!oldest) break;
        this.tailBytes -= storedBytes(oldest);
        this.leftOut++;
      }
      return;
    }
    this.number(timed);
  }

  /** Everything written so far is stored, or the lease is lost. Then nothing more may be written. */
  async close(): Promise<void> {
    if (this.leftOut > 0 && this.tail[0]) {
      const { stage, time } = this.tail[0];
      const text = `… ${this.leftOut} lines left out: the log is over its limit`;
      this.number({ stage, time, stream: "boardwalk", level: "warning", text });
    }
    for (const line of this.tail) this.number(line);
    this.tail = [];
    await this.flush();
    await this.spill.close();
  }

  /** Everything numbered so far is stored, or the lease is lost. */
  async flush(): Promise<void> {
    while (!this.lost && (this.waiting.length > 0 || !this.spill.isEmpty)) await this.pump();
  }

  private number(line: NewLine & { time: string }): void {
    const n = ++this.lines;
    this.waiting.push({ n, ...line });
    this.spans.set(line.stage, { first: this.spans.get(line.stage)?.first ?? n, last: n });
    const bytes = storedBytes(line);
    this.written += bytes;
    this.waitingBytes += bytes;
    if (this.waitingBytes >= chunkLimits.bytes) void this.pump();
    else this.timer ??= setTimeout(() => void this.pump(), chunkLimits.ms);
  }

  /** Stores what waits, one chunk at a time. One pump runs at once. */
  private pump(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.pumping ??= this.store().finally(() => {
      this.pumping = null;
    });
    return this.pumping;
  }

  private async store(): Promise<void> {
    let retryMs = 100;
    while (!this.lost && (this.waiting.length > 0 || !this.spill.isEmpty)) {
      const { records, drop } = await this.next();
      try {
        await this.options.append(records, this.truncated);
        drop();
        retryMs = 100;
      } catch (error) {
        if (isAppError(error) && error.reason === "LEASE_LOST") {
          this.lost = true;
          this.options.onLost?.(error);
          return;
        }
        await this.spillIfLong();
        await delay(retryMs);
        retryMs = Math.min(retryMs * 2, 5000);
      }
    }
  }

  private async next(): Promise<{ records: LogLine[]; drop: () => void }> {
    if (!this.spill.isEmpty) return this.spill.peek(chunkLimits.bytes);
    let bytes = 0;
    let count = 0;
    for (const line of this.waiting) {
      bytes += storedBytes(line);
      if (count > 0 && bytes > chunkLimits.bytes) break;
      count++;
    }
    const records = this.waiting.slice(0, count);
    return {
      records,
      drop: () => {
        this.waiting = this.waiting.slice(count);
        this.waitingBytes -= records.reduce((sum, line) => sum + storedBytes(line), 0);
      },
    };
  }

  /** Only ever called between two tries, so that no chunk under way changes. */
  private async spillIfLong(): Promise<void> {
    if (this.waitingBytes <= (this.options.memoryBytes ?? logLimits.tail)) return;
    const lines = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    await this.spill.push(lines);
  }
}
