import { fail } from "@/lib/common/errors";
import { Tally } from "@/lib/common/tally";

/** Inferences that each caller has under way. */
export class InFlight {
  private readonly counts = new Tally();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Counts one more, until the function that it answers is called.
   *
   * @throws {AppError} `RATE_LIMITED`
   */
  enter(caller: string): () => void {
    if (this.counts.of(caller) >= this.limit) {
      throw fail(
        "RATE_LIMITED",
        `more than ${this.limit} inferences of this client are under way; wait for some of them`,
      );
    }
    this.counts.add(caller, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.counts.add(caller, -1);
    };
  }
}
