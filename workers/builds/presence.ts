import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { reportBuildWorker, withdrawBuildWorker } from "@/domain/build-workers";
import type { BuildWorker } from "@/lib/common/contract";

export interface PresenceOptions {
  readonly worker: Omit<BuildWorker, "seenAt">;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Says again and again that this build worker is up, and how it shuts its tools in, until it is closed. */
export function startPresence({ worker, log, everyMs = 15_000 }: PresenceOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      await reportBuildWorker(worker).catch((err) => log.debug({ err }, "presence not told"));
      await delay(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
      await withdrawBuildWorker(worker.name).catch(() => {});
    },
  };
}
