import type { LogLine } from "@/lib/common/contract";

/**
 * The lines of one attempt as they arrive by page and by stream, in any order and more than once. `lines[i]` is line i + 1: what is
 * given out has no gap and no double. Lines that come early wait until those before them are there.
 */
export class LogStore {
  private held: LogLine[] = [];
  private readonly early = new Map<number, LogLine>();
  private version = 0;
  private snapshot: LogSnapshot = { lines: this.held, version: 0 };
  private readonly listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getSnapshot = (): LogSnapshot => this.snapshot;

  /** Number of the last line before which nothing is missing: the cursor to resume from. */
  get last(): number {
    return this.held.length;
  }

  /** Whether a later line is here while one before it is not: then the missing ones must be asked for. */
  get hasGap(): boolean {
    return this.early.size > 0;
  }

  add(lines: readonly LogLine[]): void {
    const before = this.held.length;
    for (const line of lines) {
      if (line.n <= this.held.length) continue;
      if (line.n > this.held.length + 1) this.early.set(line.n, line);
      else this.append(line);
    }
    if (this.held.length === before) return;
    this.version += 1;
    this.snapshot = { lines: this.held, version: this.version };
    for (const listener of this.listeners) listener();
  }

  private append(line: LogLine): void {
    this.held.push(line);
    let next = this.early.get(this.held.length + 1);
    while (next) {
      this.early.delete(next.n);
      this.held.push(next);
      next = this.early.get(this.held.length + 1);
    }
  }
}

/** `lines` grows in place; a new `version` says that it did. */
export interface LogSnapshot {
  readonly lines: readonly LogLine[];
  readonly version: number;
}
