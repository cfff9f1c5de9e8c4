import { fail } from "@/lib/common/errors";

/** Inferences that each caller has under way. */
export class InFlight {
  private readonly counts = new Map<string, number>();
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
    const count = this.counts.get(caller) ?? 0;
    if (count >= this.limit) {
      throw fail(
        "RATE_LIMITED",
        `more than ${this.limit} inferences of this client are under way; wait for some of them`,
      );
    }
    this.counts.set(caller, count + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.counts.get(caller) ?? 1) - 1;
      if (now === 0) this.counts.delete(caller);
      else this.counts.set(caller, now);
    };
  }
}
