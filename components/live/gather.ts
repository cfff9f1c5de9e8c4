/** How soon the same is done again. */
const betweenMs = 500;

/** Does something for a key at once, and again no sooner than half a second later, however often it is asked for. */
export class Gather<K> {
  private readonly act: (key: K) => void;
  /** Keys that had their turn lately; true for those that are asked for again. */
  private readonly lately = new Map<string, boolean>();

  constructor(act: (key: K) => void) {
    this.act = act;
  }

  ask(key: K): void {
    const text = JSON.stringify(key);
    if (this.lately.has(text)) {
      this.lately.set(text, true);
      return;
    }
    this.lately.set(text, false);
    this.act(key);
    setTimeout(() => {
      const isAsked = this.lately.get(text) === true;
      this.lately.delete(text);
      if (isAsked) this.ask(key);
    }, betweenMs);
  }
}
