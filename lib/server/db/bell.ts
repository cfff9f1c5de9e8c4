import { setTimeout as delay } from "node:timers/promises";
import { type Channel, listen as listenToDatabase } from "./listen";

/** How a bell rings. */
export interface BellOptions {
  /** Whether a notification with this payload is meant for us. Without it, every one is. */
  readonly hears?: (payload: string) => boolean;
  /** Notifications come in flocks: how long after a ring those that follow at once are taken along, in milliseconds. */
  readonly settleMs?: number;
  /** Hears a channel. Without it, the database's. */
  readonly listen?: typeof listenToDatabase;
}

/**
 * Wakes a loop when one of its channels rings. A ring while nobody waits is kept for the next wait, and so is a connection
 * that came back, since rings may have been lost with it.
 */
export class Bell {
  private readonly ears: readonly { close(): Promise<void> }[];
  private readonly settleMs: number;
  private rung = false;
  private wake: (() => void) | null = null;

  constructor(
    channels: readonly Channel[],
    { hears = () => true, settleMs = 0, listen = listenToDatabase }: BellOptions = {},
  ) {
    this.settleMs = settleMs;
    const onReconnect = () => this.ring();
    const onNotify = (payload: string) => {
      if (hears(payload)) this.ring();
    };
    this.ears = channels.map((channel) => listen(channel, { onNotify, onReconnect }));
  }

  /** Waits until a ring, for at most `mostMs`, or until the signal aborts. */
  async wait(mostMs: number, signal?: AbortSignal): Promise<void> {
    if (!this.rung && !signal?.aborted) await this.untilRung(mostMs, signal);
    if (this.rung && this.settleMs > 0)
      await delay(this.settleMs, undefined, signal && { signal }).catch(() => {});
    this.rung = false;
  }

  async close(): Promise<void> {
    await Promise.all(this.ears.map((ear) => ear.close()));
  }

  private ring(): void {
    this.rung = true;
    this.wake?.();
  }

  private untilRung(mostMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(end, mostMs);
      signal?.addEventListener("abort", end, { once: true });
      this.wake = end;
    });
  }
}
