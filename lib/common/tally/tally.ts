/** So many that hold nothing are kept before they are forgotten. */
const mostIdle = 1024;

/**
 * How much each of many holds. Who holds nothing keeps a place until there are many such: V8's `Map` makes a new table every
 * few insertions, and its old tables live long, see `NumberMap`.
 */
export class Tally {
  private readonly held = new Map<string, number>();
  /** Those with a place that hold nothing. */
  private idle = 0;

  /** 0 for who is not known. */
  of(key: string): number {
    return this.held.get(key) ?? 0;
  }

  /** Holds so much more, or less where `change` is negative; never less than nothing. */
  add(key: string, change: number): void {
    const before = this.held.get(key);
    if (before === undefined && this.idle >= mostIdle) this.forgetIdle();
    const now = Math.max(0, (before ?? 0) + change);
    this.held.set(key, now);
    if (now === 0 && before !== 0) this.idle++;
    else if (now > 0 && before === 0) this.idle--;
  }

  /** How many have a place. */
  get size(): number {
    return this.held.size;
  }

  private forgetIdle(): void {
    for (const [key, count] of this.held) if (count === 0) this.held.delete(key);
    this.idle = 0;
  }
}
