import { fail } from "@/lib/common/errors";

/** Holds the requests of a project to a number a second; those of one second may come at once. */
export class Pace {
  readonly perSecond: number;
  private readonly nowMs: () => number;
  private left: number;
  private filledMs: number;

  constructor(perSecond: number, nowMs: () => number = () => performance.now()) {
    this.perSecond = perSecond;
    this.nowMs = nowMs;
    this.left = perSecond;
    this.filledMs = nowMs();
  }

  /** Takes one request. @throws {AppError} `RATE_LIMITED` */
  take(): void {
    const now = this.nowMs();
    this.left = Math.min(
      this.perSecond,
      this.left + ((now - this.filledMs) / 1000) * this.perSecond,
    );
    this.filledMs = now;
    if (this.left < 1)
      throw fail(
        "RATE_LIMITED",
        `the project of this model is asked more than ${this.perSecond} times a second here; slow down`,
      );
    this.left--;
  }
}
