import { isAppError } from "@/lib/common/errors";

/** What the portal is told of something that was asked of a slot. */
interface Told {
  readonly id: string;
  readonly state: "running" | "succeeded" | "failed";
}

/** Work that the portal asked for by an id, each told until the portal has heard its end. */
export class ToldWork<R extends Told> {
  private readonly byId = new Map<string, R>();
  private readonly closed = new AbortController();
  private readonly onChange: () => void;

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** Ends the waiting of what waits for its turn. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  /** Begins work, unless its id is known: a poll whose answer was lost brings it again. @param run Never rejects. */
  begin(running: R, run: () => Promise<R>): void {
    if (this.byId.has(running.id)) return;
    this.byId.set(running.id, running);
    void run().then((ended) => {
      this.byId.set(ended.id, ended);
      if (!this.closed.signal.aborted) this.onChange();
    });
  }

  reports(): R[] {
    return [...this.byId.values()];
  }

  /** Those that were over when the portal heard of them. */
  forget(heard: readonly R[]): void {
    for (const { id, state } of heard) if (state !== "running") this.byId.delete(id);
  }

  /** What waits for its turn waits no longer. */
  close(): void {
    this.closed.abort();
  }
}

/** What the portal is told of a failure; the program's own faults are for the log alone. */
export function problemOf(error: unknown): { readonly reason: string; readonly message: string } {
  return isAppError(error)
    ? { reason: error.reason, message: error.message }
    : { reason: "INTERNAL", message: "It failed on the board server." };
}
