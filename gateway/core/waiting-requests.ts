import { LinkedList } from "@/lib/common/linked";
import type { Job } from "./job";
import type { Policy } from "./policy";

/**
 * Requests that wait, the most urgent level first and within a level in order of coming; those that waited too long and
 * are to be served all the same stand behind all others.
 */
export class WaitingRequests {
  private readonly levels: LinkedList<Job>[];
  private readonly late = new LinkedList<Job>();
  private count = 0;

  constructor(levels: number) {
    this.levels = Array.from({ length: levels }, () => new LinkedList<Job>());
  }

  get size(): number {
    return this.count;
  }

  add(job: Job): void {
    this.levelOf(job).add(job);
    this.count++;
  }

  /** True when it was waiting. */
  remove(job: Job): boolean {
    const removed = this.levelOf(job).remove(job) || this.late.remove(job);
    if (removed) this.count--;
    return removed;
  }

  /** Its time is over, but it is not refused: it goes behind all that have time left. */
  delay(job: Job): void {
    if (this.levelOf(job).remove(job)) this.late.add(job);
  }

  /** Some request that waits, or undefined. */
  get first(): Job | undefined {
    for (const job of this.inOrder()) return job;
    return undefined;
  }

  /** When the request that has waited longest came, of the monotonic clock. */
  get oldestMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { first } of [...this.levels, this.late]) {
      if (first) oldest = Math.min(oldest, first.cameMs);
    }
    return oldest;
  }

  /**
   * The requests that the next call takes, without taking them: a run from the front that fits and is alike. Empty: wait
   * on, since more may come that would share it.
   */
  nextBatch({ maxRows, preferredRows, maxWaitMs }: Policy, nowMs: number): readonly Job[] {
    const batch: Job[] = [];
    let rows = 0;
    let preferred = 0;
    let ended = false;
    const largest = preferredRows.at(-1) ?? maxRows;
    for (const job of this.inOrder()) {
      const [first] = batch;
      if (first && (rows + job.rows > maxRows || job.key !== first.key)) {
        ended = true;
        break;
      }
      if (first && preferred === 0 && rows <= largest && rows + job.rows > largest) {
        preferred = batch.length;
      }
      batch.push(job);
      rows += job.rows;
      if (maxRows === 0 || rows >= maxRows) {
        ended = true;
        break;
      }
      if (preferredRows.includes(rows)) preferred = batch.length;
    }
    if (ended || maxWaitMs === 0) return batch;
    const expired = nowMs - this.oldestMs >= maxWaitMs;
    if (expired) return batch;
    return batch.slice(0, preferred);
  }

  private *inOrder(): Generator<Job> {
    for (const list of [...this.levels, this.late]) {
      for (let job = list.first; job; job = job.after) yield job;
    }
  }

  private levelOf({ level }: Job): LinkedList<Job> {
    return this.levels[level - 1] ?? this.late;
  }
}
