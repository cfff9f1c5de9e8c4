/**
 * How long somebody wants something: until it ends, with a reason. What an `AbortController` is, without its events: every
 * request has one.
 */
export class Life {
  private reason: unknown = undefined;
  private over = false;
  private listener: (() => void) | null = null;

  get ended(): boolean {
    return this.over;
  }

  /** Why it ended. */
  get cause(): unknown {
    return this.reason;
  }

  /** Ends it, once. */
  end(reason: unknown): void {
    if (this.over) return;
    this.over = true;
    this.reason = reason;
    this.listener?.();
  }

  /** Calls `listener` when it ends; the one before is called no more. Null: nobody. */
  onEnd(listener: (() => void) | null): void {
    this.listener = listener;
  }
}
