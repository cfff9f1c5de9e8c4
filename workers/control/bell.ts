import { setTimeout as delay } from "node:timers/promises";

/** Wakes a loop early. A ring while nobody waits is kept. */
export class Bell {
  private rung = false;
  private wake: (() => void) | null = null;

  readonly ring = (): void => {
    this.rung = true;
    this.wake?.();
  };

  /** Waits until a ring, the time or the signal; with `deaf`, a ring alone does not cut a pause after a failure short. */
  async wait(ms: number, signal: AbortSignal, deaf = false): Promise<void> {
    if (!deaf && !this.rung && !signal.aborted) {
      const rung = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const timer = new AbortController();
      const end = AbortSignal.any([signal, timer.signal]);
      await Promise.race([rung, delay(ms, undefined, { signal: end }).catch(() => {})]);
      timer.abort();
      this.wake = null;
    } else if (deaf) await delay(ms, undefined, { signal }).catch(() => {});
    this.rung = false;
  }
}
