interface Entry {
  readonly score: number;
  readonly item: number;
}

/** A heap: the highest score first, of equal scores the smallest item, so that the order is always the same. */
export class WorkQueue {
  private readonly entries: Entry[] = [];

  push(score: number, item: number): void {
    const { entries } = this;
    const entry = { score, item };
    let place = entries.length;
    entries.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = entries[parent];
      if (!above || !before(entry, above)) break;
      entries[place] = above;
      place = parent;
    }
    entries[place] = entry;
  }

  /** The highest score; minus infinity when nothing is left. */
  best(): number {
    return this.entries[0]?.score ?? Number.NEGATIVE_INFINITY;
  }

  pop(): Entry | null {
    const { entries } = this;
    const [top] = entries;
    const last = entries.pop();
    if (!top || !last) return null;
    if (entries.length === 0) return top;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [a, b] = [entries[left], entries[left + 1]];
      if (!a) break;
      const useRight = b !== undefined && before(b, a);
      const child = useRight ? b : a;
      if (!before(child, last)) break;
      entries[place] = child;
      place = useRight ? left + 1 : left;
    }
    entries[place] = last;
    return top;
  }
}

const before = (one: Entry, other: Entry): boolean =>
  one.score > other.score || (one.score === other.score && one.item < other.item);
