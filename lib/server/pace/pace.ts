import { fail } from "@/lib/common/errors";
import { RecentMap } from "@/lib/common/linked";

/** How many are counted apart; beyond that, who asked longest ago is counted anew. */
const mostCounted = 10_000;

/** Over which time a pace counts, and by which clock. */
export interface PaceOptions {
  /** Default: a second. */
  readonly withinS?: number;
  readonly nowMs?: () => number;
}

/** Holds requests to a number within a second, or another time; those of one such time may come at once. */
export class Pace {
  /** What is asked too often, in words: `the project of this model is asked`. */
  private readonly words: string;
  private readonly limit: () => number;
  private readonly withinS: number;
  private readonly nowMs: () => number;
  private left: number;
  private filledMs: number;

  /** @param limit Requests within that time, as they stand at each request. */
  constructor(
    words: string,
    limit: () => number,
    { withinS = 1, nowMs = () => performance.now() }: PaceOptions = {},
  ) {
    this.words = words;
    this.limit = limit;
    this.withinS = withinS;
    this.nowMs = nowMs;
    this.left = limit();
    this.filledMs = nowMs();
  }

  get most(): number {
    return this.limit();
  }

  /** Takes one request. @throws {AppError} `RATE_LIMITED`, which says whose limit it is. */
  take(): void {
    const waitS = this.tryTake();
    if (waitS === 0) return;
    throw fail(
      "RATE_LIMITED",
      `${this.words} more than ${this.limit()} times ${timeWords(this.withinS)} here; slow down`,
      { details: { retryAfterS: Math.ceil(waitS) } },
    );
  }

  /** How long it is until there is room for one request, in seconds; 0: it was taken. */
  tryTake(): number {
    const perS = this.limit() / this.withinS;
    const now = this.nowMs();
    this.left = Math.min(this.limit(), this.left + ((now - this.filledMs) / 1000) * perS);
    this.filledMs = now;
    if (this.left < 1) return (1 - this.left) / perS;
    this.left--;
    return 0;
  }

  /** Takes one back that is not to count. */
  giveBack(): void {
    this.left++;
  }
}

/** Holds each of many to the same number within the same time. */
export class PaceOfEach {
  readonly most: number;
  private readonly words: string;
  private readonly options: PaceOptions;
  private readonly paces = new RecentMap<Pace>(mostCounted);

  constructor(words: string, most: number, options: PaceOptions = {}) {
    this.words = words;
    this.most = most;
    this.options = options;
  }

  /** @param who A person, a token that is nobody's, or an address. */
  of(who: string): Pace {
    const known = this.paces.get(who);
    if (known) return known;
    const pace = new Pace(this.words, () => this.most, this.options);
    this.paces.set(who, pace);
    return pace;
  }
}

function timeWords(seconds: number): string {
  if (seconds === 1) return "a second";
  return seconds === 60 ? "a minute" : `within ${seconds} seconds`;
}
