import { fail } from "@/lib/common/errors";

/** How many people and tokens of one project are counted apart; beyond that the one first seen is counted anew. */
const mostCounted = 10_000;

/** Holds requests to a number a second; those of one second may come at once. */
export class Pace {
  /** What is asked too often, in words: `the project of this model is asked`. */
  private readonly words: string;
  private readonly limit: () => number;
  private readonly nowMs: () => number;
  private left: number;
  private filledMs: number;

  /** @param limit Requests a second, as they stand at each request. */
  constructor(words: string, limit: () => number, nowMs: () => number = () => performance.now()) {
    this.words = words;
    this.limit = limit;
    this.nowMs = nowMs;
    this.left = limit();
    this.filledMs = nowMs();
  }

  get perSecond(): number {
    return this.limit();
  }

  /** Takes one request. @throws {AppError} `RATE_LIMITED`, which says whose limit it is. */
  take(): void {
    const perSecond = this.limit();
    const now = this.nowMs();
    this.left = Math.min(perSecond, this.left + ((now - this.filledMs) / 1000) * perSecond);
    this.filledMs = now;
    if (this.left < 1)
      throw fail(
        "RATE_LIMITED",
        `${this.words} more than ${perSecond} times a second here; slow down`,
      );
    this.left--;
  }
}

/** Holds each person and each token of a project to the same number a second. */
export class PaceOfEach {
  readonly perSecond: number;
  private readonly paces = new Map<string, Pace>();

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  /** @param who A person, or a token that is nobody's. */
  of(who: string): Pace {
    const known = this.paces.get(who);
    if (known) return known;
    const [oldest] = this.paces.keys();
    if (this.paces.size >= mostCounted && oldest !== undefined) this.paces.delete(oldest);
    const pace = new Pace(
      "each person and each token of this project may ask no",
      () => this.perSecond,
    );
    this.paces.set(who, pace);
    return pace;
  }
}
