/** The range that pauses grow through. */
export interface BackoffOptions {
  /** The pause after the first failure, in milliseconds. */
  readonly firstMs: number;
  /** The longest pause, in milliseconds. */
  readonly mostMs: number;
}

/** What suits a store or a neighbour that starts again. */
const usual: BackoffOptions = { firstMs: 100, mostMs: 5000 };

/** The pause after so many failures in a row (1, 2, …), in milliseconds: each twice the one before, up to the longest. */
export function backoffMs({ firstMs, mostMs }: BackoffOptions, failures: number): number {
  return Math.min(mostMs, firstMs * 2 ** Math.max(0, failures - 1));
}

/**
 * Exponential backoff with jitter: the pauses between the tries of something that fails. Chance takes up to half of each
 * pause away, so that those who failed together do not come back together.
 */
export class Backoff {
  private readonly options: BackoffOptions;
  private readonly random: () => number;
  private inARow = 0;

  /** @param random Answers values in 0..1; tests give their own. */
  constructor(options: BackoffOptions = usual, random: () => number = Math.random) {
    this.options = options;
    this.random = random;
  }

  /** Failures since the start or the last `reset`. */
  get failures(): number {
    return this.inARow;
  }

  /** Notes a failure and answers the pause before the next try, in milliseconds. */
  nextMs(): number {
    return backoffMs(this.options, ++this.inARow) * (1 - this.random() / 2);
  }

  /** Notes a failure and waits for its pause, or until the signal aborts; then it returns as well. */
  async wait(signal?: AbortSignal): Promise<void> {
    const pauseMs = this.nextMs();
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, pauseMs);
      signal?.addEventListener("abort", end, { once: true });
    });
  }

  /** Notes a success: the next pause is a first one. */
  reset(): void {
    this.inARow = 0;
  }
}
