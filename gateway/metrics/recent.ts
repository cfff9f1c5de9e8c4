import { Histogram, secondsBounds } from "./histogram";

/** Five minutes, two seconds at a time. */
const slotSeconds = 2;
const kept = 150;

/** What happened in one stretch of two seconds. */
interface Slot {
  readonly number: number;
  success: number;
  fail: number;
  rows: number;
  calls: number;
  /** Of the answered ones, how long they took. */
  readonly seconds: Histogram;
}

/** A slot as it is told: `ago` slots before the one that is filling now. */
export interface RecentSlot extends Readonly<Omit<Slot, "number">> {
  readonly ago: number;
}

/** The traffic of the last minutes in slots of equal length. */
export interface RecentView {
  readonly slotSeconds: number;
  /** How many slots are known, the filling one included: fewer than five minutes when counting began later. */
  readonly known: number;
  /** Those in which something happened, oldest first. */
  readonly slots: readonly RecentSlot[];
}

/**
 * What one version of a model did in the last five minutes, counted where and when it happens: no timer samples it, so
 * whoever asks, however late, sees the same. Slots in which nothing happened take no room.
 */
export class Recent {
  private readonly slots: Slot[] = [];
  private readonly nowMs: () => number;
  private readonly begin: number;

  /** @param nowMs A clock that never steps back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs;
    this.begin = this.number();
  }

  succeeded(rows: number, seconds: number): void {
    const slot = this.current();
    slot.success++;
    slot.rows += rows;
    slot.seconds.add(seconds);
  }

  failed(): void {
    this.current().fail++;
  }

  /** One call to a board, whatever the number of its requests. */
  called(): void {
    this.current().calls++;
  }

  view(): RecentView {
    const now = this.number();
    this.forget(now);
    return {
      slotSeconds,
      known: Math.min(kept, now - this.begin + 1),
      slots: this.slots.map(({ number, ...slot }) => ({ ...slot, ago: now - number })),
    };
  }

  private number(): number {
    return Math.floor(this.nowMs() / (slotSeconds * 1000));
  }

  private current(): Slot {
    const number = this.number();
    const last = this.slots.at(-1);
    if (last?.number === number) return last;
    this.forget(number);
    const seconds = new Histogram(secondsBounds);
    const slot = { number, success: 0, fail: 0, rows: 0, calls: 0, seconds };
    this.slots.push(slot);
    return slot;
  }

  private forget(now: number): void {
    const first = this.slots.findIndex(({ number }) => now - number < kept);
    this.slots.splice(0, first < 0 ? this.slots.length : first);
  }
}
