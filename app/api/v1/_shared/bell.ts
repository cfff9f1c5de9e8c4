import { type Channel, listen } from "@/lib/server/db";

/** Bursts of notifications are answered together: at most one look per pause. */
const pauseMs = 40;
/** A notification may get lost with its connection: it is looked again at least this often. */
const lookAgainMs = 2000;

/** Rings when one of the channels does; a ring before the wait counts. */
export function openBell(channels: readonly Channel[], signal: AbortSignal) {
  let rung = false;
  let wake = () => {};
  const ring = () => {
    rung = true;
    wake();
  };
  const ears = channels.map((channel) => listen(channel, { onNotify: ring, onReconnect: ring }));
  signal.addEventListener("abort", ring, { once: true });
  return {
    async wait(): Promise<void> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, lookAgainMs);
        });
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      rung = false;
    },
    async close(): Promise<void> {
      signal.removeEventListener("abort", ring);
      await Promise.all(ears.map((ear) => ear.close()));
    },
  };
}
