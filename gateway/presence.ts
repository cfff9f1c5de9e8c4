import { setTimeout as delay } from "node:timers/promises";
import { logger } from "@/lib/server/logger";

const everyMs = 60_000;
/** After the database was away. */
const againMs = 2000;

/** Says again and again that this gateway is up, until it is closed. */
export function startPresence(report: () => Promise<void>): { close(): void } {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const waitMs = await report().then(
        () => everyMs,
        (err: unknown) => {
          logger().debug({ err }, "presence not told");
          return againMs;
        },
      );
      await delay(waitMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  };
  void run();
  return { close: () => stop.abort() };
}
