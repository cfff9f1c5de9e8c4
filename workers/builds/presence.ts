import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { reportBuildWorker, withdrawBuildWorker } from "@/domain/build-workers";
import type { BuildWorker, MissingTool } from "@/lib/common/contract";

export interface PresenceOptions {
  readonly worker: Omit<BuildWorker, "seenAt" | "missing">;
  /** Looks which tools are missing: whenever it tells, since people install them meanwhile. */
  readonly missingTools: () => Promise<MissingTool[]>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Says again and again that this build worker is up, and how it shuts its tools in and which it lacks, until it is closed. */
export function startPresence({ worker, missingTools, log, everyMs = 15_000 }: PresenceOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const tell = (missing: MissingTool[] | null) =>
    reportBuildWorker({ ...worker, missing }).catch((err) =>
      log.debug({ err }, "presence not told"),
    );
  const run = async () => {
    // The first look starts programs, which takes longer than it takes to be up.
    await tell(null);
    while (!stop.signal.aborted) {
      await tell(
        await missingTools().catch((err) => {
          log.warn({ err }, "tools not looked for");
          return null;
        }),
      );
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
