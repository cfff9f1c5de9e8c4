/** What reading costs the event loop, about: each byte, and each byte that is none of the body, such as a chunk's frame. */
const usOf = { bodyByte: 0.002, frameByte: 0.6 } as const;
/** Bodies below this are read as they come. */
const burstUs = 2000;
/** Several together have one part in so many of the loop, and so has one that keeps it for long at once, as crumbs do. */
const loopParts = 3;
const longUs = 4000;

interface Reader {
  readonly costUs: number;
  readonly goOn: () => void;
}

/**
 * Bodies that cost the event loop much, large ones or ones in crumbs, are read in turns of some milliseconds, one after
 * another: together they leave the loop free for most of the time, whoever sends how many.
 */
export class ReadingPace {
  private readonly waiting: Reader[] = [];
  private resting = false;

  /** @param costUs What the reader has cost since its last turn.
   *  @param goOn Called when it is its turn. */
  wait(costUs: number, goOn: () => void): void {
    this.waiting.push({ costUs, goOn });
    this.next();
  }

  private next(): void {
    if (this.resting) return;
    const reader = this.waiting.shift();
    if (!reader) return;
    this.resting = true;
    const isAlone = this.waiting.length === 0 && reader.costUs < longUs;
    const restUs = isAlone ? 0 : reader.costUs * (loopParts - 1);
    const goOn = () => {
      this.resting = false;
      reader.goOn();
      this.next();
    };
    if (restUs === 0) setImmediate(goOn);
    else setTimeout(goOn, restUs / 1000);
  }
}

/** What one body has cost since its last turn. */
export class ReadingCost {
  private us = 0;

  add({ bodyBytes, frameBytes }: { readonly bodyBytes: number; readonly frameBytes: number }) {
    this.us += bodyBytes * usOf.bodyByte + frameBytes * usOf.frameByte;
  }

  /** The cost, if it is so much that the body has to wait for its next turn; then the count starts anew. */
  takeTurn(): number | null {
    if (this.us < burstUs) return null;
    const cost = this.us;
    this.us = 0;
    return cost;
  }
}
