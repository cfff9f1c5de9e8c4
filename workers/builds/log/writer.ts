import { Backoff } from "@/lib/common/backoff";
import type { LogLine } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { cutText, showText, storableText } from "@/lib/common/text";
import { isPassing, sqlStateOf } from "@/lib/server/db";
import { maxLineLength } from "./escaper";
import { Spill } from "./spill";

/** Lines are stored together until they are so many bytes, or so old. */
export const chunkLimits = { bytes: 64 * 1024, ms: 250 } as const;
/** Stored bytes of one attempt's log, of which the last part is kept for its end. */
export const logLimits = { stored: 64 * 2 ** 20, tail: 2 ** 20 } as const;
/** What number, time, stage and the like of a line take beside its text: a log of empty lines has an end, too. */
const lineOverhead = 128;

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
  /** Told when lines can never be stored: the lease is lost, or the store refuses them for what they are. */
  readonly onLost?: (error: unknown) => void;
}

/** What a line takes in memory and in the store. */
export const storedBytes = ({ text }: Pick<LogLine, "text">) =>
  Buffer.byteLength(text) + lineOverhead;

/**
 * Numbers lines densely from 1 and stores them in chunks of at most 64 KiB, at most 250 ms after they came. The
 * writer of a line need not wait, but who writes many asks for `room`. Past the cap only the last MiB is kept, after one
 * line that says so. Control characters in lines of our own, such as names of others may hold, are shown.
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
  /** Where the tail begins: what lies before was let go. */
  private tailFrom = 0;
  private tailBytes = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | null = null;
  private pumping: Promise<void> | null = null;
  private lost = false;
  private patience: AbortSignal | null = null;
  private waiters: (() => void)[] = [];

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
    const timed = { time: new Date().toISOString(), ...line, text: plainText(line) };
    const bytes = storedBytes(timed);
    if (this.tail.length === 0 && this.written + bytes <= stored - tail) {
      this.number(timed);
      return;
    }
    this.tail.push(timed);
    this.tailBytes += bytes;
    while (this.tailBytes > tail - 1024) {
      const oldest = this.tail[this.tailFrom++];
      if (!oldest) break;
      this.tailBytes -= storedBytes(oldest);
      this.leftOut++;
    }
    if (this.tailFrom * 2 > this.tail.length) {
      this.tail = this.tail.slice(this.tailFrom);
      this.tailFrom = 0;
    }
  }

  /** Resolves once so few lines wait that more may come: whoever writes faster than the store takes waits here. */
  async room(): Promise<void> {
    while (!this.lost && this.waitingBytes > this.memoryBytes)
      await new Promise<void>((resolve) => void this.waiters.push(resolve));
  }

  /**
   * Everything written so far is stored, or can never be. Then nothing more may be written.
   *
   * @param patience Ends the wait for a store that is away.
   */
  async close(patience: AbortSignal | null = null): Promise<void> {
    const tail = this.tail.slice(this.tailFrom);
    if (this.leftOut > 0 && tail[0]) {
      const { stage, time } = tail[0];
      const text = `… ${this.leftOut} lines left out: the log is over its limit`;
      this.number({ stage, time, stream: "boardwalk", level: "warning", text });
    }
    for (const line of tail) this.number(line);
    this.tail = [];
    this.patience = patience;
    while (!this.isDone && (this.waiting.length > 0 || !this.spill.isEmpty)) await this.pump();
    await this.spill.close();
  }

  private get isDone(): boolean {
    return this.lost || this.patience?.aborted === true;
  }

  private get memoryBytes(): number {
    return this.options.memoryBytes ?? logLimits.tail;
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
    const backoff = new Backoff();
    while (!this.isDone && (this.waiting.length > 0 || !this.spill.isEmpty)) {
      const { records, drop } = await this.next();
      try {
        await this.options.append(records, this.truncated);
        drop();
        backoff.reset();
        this.wake();
      } catch (error) {
        if (!isPassing(error)) return this.giveUp(error, records);
        await this.spillIfLong();
        this.wake();
        await backoff.wait(this.patience ?? undefined);
      }
    }
  }

  /** Sending the same lines again would fail again. */
  private giveUp(error: unknown, records: readonly LogLine[]): void {
    this.lost = true;
    this.wake();
    const [first, last] = [records[0]?.n, records.at(-1)?.n];
    const state = sqlStateOf(error);
    const why = isAppError(error)
      ? error
      : fail(
          "LOG_UNSTORABLE",
          `The database refuses lines ${first} to ${last} of the log${state ? ` (SQLSTATE ${state})` : ""}.`,
          { cause: error },
        );
    this.options.onLost?.(why);
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
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
    if (this.waitingBytes <= this.memoryBytes) return;
    const lines = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    await this.spill.push(lines);
  }
}

/** Tools' lines come escaped, and keep their colours; ours may hold names and messages of others. */
function plainText({ stream, text }: NewLine): string {
  const cut = cutText(text, maxLineLength + 64);
  return stream === "boardwalk" ? showText(cut) : storableText(cut);
}
