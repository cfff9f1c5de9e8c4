import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { reportBuildWorker, withdrawBuildWorker } from "@/domain/build-workers";
import type { BuildWorker } from "@/lib/common/contract";
import type { FoundTools } from "./tools";

export interface PresenceOptions {
  readonly worker: Omit<BuildWorker, "seenAt" | "missing" | "tools">;
  /** Looks which tools are there and which are missing: whenever it tells, since people install them meanwhile. */
  readonly findTools: () => Promise<FoundTools>;
  readonly log: Logger;
  readonly everyMs?: number;
}

const unknown = { missing: null, tools: null };

/** Says again and again that this build worker is up, and how it shuts its tools in and which it has and lacks, until it is closed. */
export function startPresence({ worker, findTools, log, everyMs = 15_000 }: PresenceOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const tell = ({ missing, tools }: FoundTools | typeof unknown) =>
    reportBuildWorker({ ...worker, missing, tools }).catch((err) =>
      log.debug({ err }, "presence not told"),
    );
  const run = async () => {
    // The first look starts programs, which takes longer than it takes to be up.
    await tell(unknown);
    while (!stop.signal.aborted) {
      await tell(
        await findTools().catch((err) => {
          log.warn({ err }, "tools not looked for");
          return unknown;
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
