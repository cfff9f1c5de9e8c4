import type { LogLine, LogOutline } from "@/lib/common/contract";
import { emptyOutline, extendOutline } from "@/lib/common/log-outline";

/** Lines that are asked for at once, and how many such chunks are kept: what is not looked at goes. */
export const chunkLines = 2000;
const mostChunks = 24;

/** Lines to be asked for. */
export interface Missing {
  readonly from: number;
  readonly limit: number;
}

/** What is known of a log; a new `version` says that it is more, or that other lines are here. */
export interface LogSnapshot {
  readonly outline: LogOutline;
  readonly version: number;
}

/**
 * The log of one attempt: what it holds in outline, and those of its lines that are looked at or have just come. However long the log
 * is, a bounded number of lines is held. Lines may come in any order, and more than once.
 */
export class LogStore {
  private outline: LogOutline = emptyOutline;
  /** By the number of the chunk; those looked at last are last. */
  private readonly chunks = new Map<number, (LogLine | undefined)[]>();
  private furthest = 0;
  private version = 0;
  private snapshot: LogSnapshot = { outline: this.outline, version: 0 };
  private readonly listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getSnapshot = (): LogSnapshot => this.snapshot;

  /** Number of the last line before which the outline lacks nothing: the cursor to resume from. */
  get last(): number {
    return this.outline.lines;
  }

  /** Whether a later line came while one before it did not: then the outline must be asked for. */
  get hasGap(): boolean {
    return this.furthest > this.outline.lines;
  }

  get heldChunks(): number {
    return this.chunks.size;
  }

  /** Takes over an outline as the server has it, unless more is known here. */
  setOutline(outline: LogOutline): void {
    if (outline.lines < this.outline.lines) return;
    this.outline = outline;
    this.tell();
  }

  /** Lines that go on from the outline, as a stream has them; it grows by them. */
  append(lines: readonly LogLine[]): void {
    this.outline = extendOutline(this.outline, lines);
    this.hold(lines);
  }

  /** Lines from anywhere. */
  hold(lines: readonly LogLine[]): void {
    for (const line of lines) {
      const at = Math.floor((line.n - 1) / chunkLines);
      const chunk = this.chunks.get(at) ?? [];
      this.chunks.delete(at);
      this.chunks.set(at, chunk);
      chunk[(line.n - 1) % chunkLines] = line;
      this.furthest = Math.max(this.furthest, line.n);
    }
    for (const at of this.chunks.keys()) {
      if (this.chunks.size <= mostChunks) break;
      this.chunks.delete(at);
    }
    if (lines.length > 0) this.tell();
  }

  /** Undefined while it is not here. */
  lineAt(n: number): LogLine | undefined {
    return this.chunks.get(Math.floor((n - 1) / chunkLines))?.[(n - 1) % chunkLines];
  }

  /** What is to be asked for so that lines `first` to `last` are here: up to the end of each chunk. */
  missing(first: number, last: number): readonly Missing[] {
    const wanted: Missing[] = [];
    const end = Math.min(last, this.outline.lines);
    for (let n = Math.max(1, first); n <= end; n += 1) {
      if (this.lineAt(n)) continue;
      const at = Math.floor((n - 1) / chunkLines);
      const chunkEnd = Math.min((at + 1) * chunkLines, this.outline.lines);
      // From the chunk's beginning, so that whoever scrolls up needs no second answer.
      const from = this.chunks.has(at) ? n : at * chunkLines + 1;
      wanted.push({ from, limit: chunkEnd - from + 1 });
      n = chunkEnd;
    }
    return wanted;
  }

  private tell(): void {
    this.version += 1;
    this.snapshot = { outline: this.outline, version: this.version };
    for (const listener of this.listeners) listener();
  }
}
