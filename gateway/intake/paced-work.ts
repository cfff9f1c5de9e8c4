/** What reading or copying costs the event loop, about: each byte, and each byte that is none of the body, such as a chunk's frame. */
const usOf = { bodyByte: 0.002, frameByte: 0.4 } as const;
/** What is read in one turn, about: a quarter of a mebibyte. */
const turnUs = 500;
/** What one read of crumbs costs at least. */
const crumbsUs = 4000;
/** So long after a small request large work leaves room for the next. */
const smallRequestMs = 250;

let lastSmallRequestMs = Number.NEGATIVE_INFINITY;

/** To be told of every small request: large work only rests where there are such. */
export function tellSmallRequest(): void {
  lastSmallRequestMs = performance.now();
}

const smallRequestsCome = (): boolean => performance.now() - lastSmallRequestMs < smallRequestMs;

interface Turn {
  readonly costUs: number;
  readonly goOn: () => void;
}

/**
 * Work that costs the event loop much is done in short turns, one after another: together they leave the loop free for most
 * of the time, whoever asks for how many. A small request takes several turns of the loop, so each has to be short.
 */
class Pace {
  private readonly loopParts: number;
  private readonly mustRest: () => boolean;
  private readonly waiting: Turn[] = [];
  private resting = false;

  /** @param loopParts Of the loop's time, this work has one part in so many, where it must rest. */
  constructor(loopParts: number, mustRest: () => boolean) {
    this.loopParts = loopParts;
    this.mustRest = mustRest;
  }

  /** Whether the rest after a turn is not over yet. */
  get isBusy(): boolean {
    return this.resting;
  }

  /** @param costUs What the last turn has cost.
   *  @param goOn Called when it is time for the next. */
  wait(costUs: number, goOn: () => void): void {
    this.waiting.push({ costUs, goOn });
    this.next();
  }

  private next(): void {
    if (this.resting) return;
    const turn = this.waiting.shift();
    if (!turn) return;
    this.resting = true;
    const goOn = () => {
      this.resting = false;
      turn.goOn();
      this.next();
    };
    const restUs = this.mustRest() ? turn.costUs * (this.loopParts - 1) : 0;
    if (restUs === 0) setImmediate(goOn);
    else setTimeout(goOn, restUs / 1000);
  }
}

/** Of all large bodies that this event loop reads or copies, over HTTP and gRPC. */
const largePace = new Pace(3, smallRequestsCome);
/** One read of crumbs keeps the loop for 20 ms and cannot be made shorter: so they are read seldom. */
const crumbPace = new Pace(150, () => true);

/** The reading or copying of one body, or of one connection of large messages. */
export class PacedWork {
  private costUs = 0;

  /** Whether another one has its turn; then `goOn` is called when it is time to begin. */
  waitsToBegin(goOn: () => void): boolean {
    if (!largePace.isBusy) return false;
    largePace.wait(0, goOn);
    return true;
  }

  /** Counts what was done. Answers whether the turn is over; then `goOn` is called at the next one. */
  endsTurn(
    { bodyBytes, frameBytes = 0 }: { readonly bodyBytes: number; readonly frameBytes?: number },
    goOn: () => void,
  ): boolean {
    this.costUs += bodyBytes * usOf.bodyByte + frameBytes * usOf.frameByte;
    if (this.costUs < turnUs) return false;
    const pace = this.costUs < crumbsUs ? largePace : crumbPace;
    pace.wait(this.costUs, goOn);
    this.costUs = 0;
    return true;
  }
}
