/** Where something stands in a list; kept by the list alone. */
export interface Linked<T extends Linked<T>> {
  list: LinkedList<T> | null;
  before: T | null;
  after: T | null;
}

/**
 * Things in order of coming, linked through themselves: each is taken out at once, wherever it stands, and nothing that was ever in
 * the list keeps another one alive. A `Set` would, see `NumberMap`.
 */
export class LinkedList<T extends Linked<T>> {
  first: T | null = null;
  private last: T | null = null;

  /** Puts what is in no list behind all others. */
  add(item: T): void {
    item.list = this;
    item.before = this.last;
    if (this.last) this.last.after = item;
    else this.first = item;
    this.last = item;
  }

  /** True when it was in this list. */
  remove(item: T): boolean {
    if (item.list !== this) return false;
    const { before, after } = item;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    item.list = null;
    item.before = null;
    item.after = null;
    return true;
  }
}
