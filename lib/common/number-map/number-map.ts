const leastPlaces = 16;
const free = -1;

/**
 * A map from whole numbers from 0 on, for what comes and goes with every request.
 *
 * V8's own `Map` and `Set` make a new table every few insertions, and each old table points at the one after it. Once one old table
 * has grown old enough for the garbage collector's long-lived part, all that come after it follow there, with whatever they held:
 * half of the gateway's requests outlived their answers like that. This one keeps its table: open addressing, linear probing,
 * entries shifted back where one is taken out (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).
 */
export class NumberMap<T> {
  private keys: number[] = new Array(leastPlaces).fill(free);
  private held: (T | undefined)[] = new Array(leastPlaces).fill(undefined);
  private count = 0;

  get size(): number {
    return this.count;
  }

  get(key: number): T | undefined {
    return this.held[this.placeOf(key)];
  }

  set(key: number, value: T): void {
    let place = this.placeOf(key);
    if (this.keys[place] !== key) {
      if (this.count * 2 >= this.keys.length) {
        this.grow();
        place = this.placeOf(key);
      }
      this.keys[place] = key;
      this.count++;
    }
    this.held[place] = value;
  }

  /** True when there was one. */
  delete(key: number): boolean {
    let hole = this.placeOf(key);
    if (key === free || this.keys[hole] !== key) return false;
    this.count--;
    const last = this.keys.length - 1;
    for (let place = (hole + 1) & last; ; place = (place + 1) & last) {
      const next = this.keys[place] as number;
      if (next === free) break;
      // An entry that may stand no further ahead than it does stays.
      const home = homeOf(next, last);
      const isBetween = hole <= place ? home > hole && home <= place : home > hole || home <= place;
      if (isBetween) continue;
      this.keys[hole] = next;
      this.held[hole] = this.held[place];
      hole = place;
    }
    this.keys[hole] = free;
    this.held[hole] = undefined;
    return true;
  }

  clear(): void {
    this.keys.fill(free);
    this.held.fill(undefined);
    this.count = 0;
  }

  /** In no order, as they are now: whoever goes through them may take them out meanwhile. */
  values(): T[] {
    return this.held.filter((_, place) => this.keys[place] !== free) as T[];
  }

  /** Where a key stands, or would. */
  private placeOf(key: number): number {
    const last = this.keys.length - 1;
    let place = homeOf(key, last);
    while (this.keys[place] !== free && this.keys[place] !== key) place = (place + 1) & last;
    return place;
  }

  private grow(): void {
    const { keys, held } = this;
    this.keys = new Array(keys.length * 2).fill(free);
    this.held = new Array(keys.length * 2).fill(undefined);
    for (const [at, key] of keys.entries()) {
      if (key === free) continue;
      const place = this.placeOf(key);
      this.keys[place] = key;
      this.held[place] = held[at];
    }
    // The old table may live on for a while: it shall hold nothing.
    held.fill(undefined);
  }
}

/** Spread by the golden ratio: callers may choose keys. */
const homeOf = (key: number, last: number): number => (Math.imul(key, 0x9e3779b1) >>> 8) & last;
