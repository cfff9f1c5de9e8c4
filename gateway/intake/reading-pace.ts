/** What reading costs the event loop, about: each byte, and each byte that is none of the body, such as a chunk's frame. */
const usOf = { bodyByte: 0.002, frameByte: 0.4 } as const;
/** Bodies below this are read as they come. */
const burstUs = 2000;

/** Of the event loop's time, large bodies together have one part in so many; one alone need not wait. */
export const largeBodies = { loopParts: 3, aloneRests: false } as const;
/** One read of crumbs keeps the loop for 20 ms and cannot be made shorter: so they are read seldom. */
export const crumbs = { loopParts: 50, aloneRests: true } as const;
/** What one read costs at least if it brings crumbs. */
export const crumbsUs = 4000;

interface Reader {
  readonly costUs: number;
  readonly goOn: () => void;
}

/**
 * Bodies that cost the event loop much are read in turns of some milliseconds, one after another: together they leave the
 * loop free for most of the time, whoever sends how many.
 */
export class ReadingPace {
  private readonly share: { readonly loopParts: number; readonly aloneRests: boolean };
  private readonly waiting: Reader[] = [];
  private resting = false;

  constructor(share: { readonly loopParts: number; readonly aloneRests: boolean }) {
    this.share = share;
  }

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
    const { loopParts, aloneRests } = this.share;
    const rests = aloneRests || this.waiting.length > 0;
    const restUs = rests ? reader.costUs * (loopParts - 1) : 0;
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
