import { type CountedMinute, noEndpoint } from "@/domain/traffic";
import type { Asked } from "./asked";
import { Counters } from "./counters";

const minuteMs = 60_000;
/** Rows of minutes that are over and wait to be written: some 20 MiB. */
const usuallyWaiting = 20_000;
/** Rows of the minute that is not over yet that one write takes along. */
const mostOpen = 200;
/** Rows of one write. */
const mostWritten = 2000;

/** What a write takes along. */
export interface MinutesToWrite {
  readonly rows: readonly CountedMinute[];
  /** The write went well: these rows wait no more. */
  done(): void;
  /** It did not: they are to be written again. */
  failed(): void;
}

/** The counts of the minute that runs, and those of minutes that are over and not written yet. */
export class Minutes {
  private readonly mostWaiting: number;
  private minute = 0;
  private open = new Map<string, Map<number, Counters>>();
  private waiting: CountedMinute[] = [];
  private isBeatWritten = false;
  /** Requests whose counts were given up since the database was away for too long. */
  droppedRequests = 0;

  /** @param mostWaiting Rows that wait at most; what is older is given up. */
  constructor(mostWaiting = usuallyWaiting) {
    this.mostWaiting = mostWaiting;
  }

  /** The counters of an endpoint's revision in the minute of a moment. */
  of({ endpointId, revision }: Asked, nowMs: number): Counters {
    this.roll(nowMs);
    let revisions = this.open.get(endpointId);
    if (!revisions) {
      revisions = new Map();
      this.open.set(endpointId, revisions);
    }
    let counters = revisions.get(revision);
    if (!counters) {
      counters = new Counters();
      revisions.set(revision, counters);
    }
    return counters;
  }

  /** Moves all that was counted before the clock was set. */
  shift(changeMs: number): void {
    const minutes = Math.round(changeMs / minuteMs);
    if (this.minute > 0) this.minute += minutes;
    this.waiting = this.waiting.map((row) => ({
      ...row,
      at: isoOf(Date.parse(row.at) / minuteMs + minutes),
    }));
  }

  /** What is to be written: minutes that are over first, then as much of the one that runs. */
  take(nowMs: number): MinutesToWrite {
    this.roll(nowMs);
    const closed = new Set(this.waiting.slice(0, mostWritten));
    const rows = [...closed];
    const open = closed.size < mostWritten ? [...this.dirty(mostOpen)] : [];
    const isBeat = closed.size < mostWritten && !this.isBeatWritten;
    if (isBeat) rows.push(beatOf(this.minute));
    for (const { counters, row } of open) {
      // What is counted while it is written makes it dirty again.
      counters.isDirty = false;
      rows.push(row);
    }
    const { minute } = this;
    return {
      rows,
      done: () => {
        this.waiting = this.waiting.filter((row) => !closed.has(row));
        if (isBeat && minute === this.minute) this.isBeatWritten = true;
      },
      failed: () => {
        for (const { counters, row } of open) {
          // A minute that ended meanwhile with more in it waits already.
          if (counters.isDirty) continue;
          if (minute === this.minute) counters.isDirty = true;
          else this.waiting.push(row);
        }
      },
    };
  }

  /** Whether more waits than one write takes. */
  get isBehind(): boolean {
    return this.waiting.length >= mostWritten;
  }

  private *dirty(most: number): Generator<{ counters: Counters; row: CountedMinute }> {
    let left = most;
    for (const [endpointId, revisions] of this.open) {
      for (const [revision, counters] of revisions) {
        if (!counters.isDirty) continue;
        if (left-- <= 0) return;
        const row = counters.toMinute({ endpointId, at: isoOf(this.minute), revision });
        yield { counters, row };
      }
    }
  }

  /** Closes the minute once it is over. Time that steps back goes on counting into it. */
  private roll(nowMs: number): void {
    const now = Math.floor(nowMs / minuteMs);
    if (now <= this.minute) return;
    if (this.minute > 0) {
      if (!this.isBeatWritten) this.waiting.push(beatOf(this.minute));
      for (const { row } of this.dirty(Number.POSITIVE_INFINITY)) this.waiting.push(row);
    }
    for (const { requests } of this.waiting.splice(0, this.waiting.length - this.mostWaiting))
      this.droppedRequests += requests;
    this.open = new Map();
    this.minute = now;
    this.isBeatWritten = false;
  }
}

const isoOf = (minute: number): string => new Date(minute * minuteMs).toISOString();

/** Says that this gateway counted in a minute, whoever was asked. */
const beatOf = (minute: number): CountedMinute =>
  new Counters().toMinute({ endpointId: noEndpoint, at: isoOf(minute), revision: 0 });
