import { type Linked, LinkedList } from "./linked-list";

interface Entry<T> extends Linked<Entry<T>> {
  readonly key: string;
  value: T;
}

/** A map of so many entries at most: those that were asked for or set last stay, and the oldest goes for each that is one too many. */
export class RecentMap<T> {
  private readonly most: number;
  private readonly entries = new Map<string, Entry<T>>();
  private readonly order = new LinkedList<Entry<T>>();

  constructor(most: number) {
    this.most = most;
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry && this.order.remove(entry)) this.order.add(entry);
    return entry?.value;
  }

  /** @returns What had to go for it. */
  set(key: string, value: T): T | undefined {
    const known = this.entries.get(key);
    if (known) {
      known.value = value;
      if (this.order.remove(known)) this.order.add(known);
      return undefined;
    }
    const entry: Entry<T> = { key, value, list: null, before: null, after: null };
    this.entries.set(key, entry);
    this.order.add(entry);
    const { first: oldest } = this.order;
    if (this.entries.size <= this.most || !oldest) return undefined;
    this.delete(oldest.key);
    return oldest.value;
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.order.remove(entry);
  }
}
