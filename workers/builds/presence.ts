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
  /** How often it tells that it is up. */
  readonly everyMs?: number;
  /** How often it looks for tools, in times that it tells. */
  readonly lookEvery?: number;
}

const unknown: { readonly missing: null; readonly tools: null } = { missing: null, tools: null };

/** Says again and again that this build worker is up, and how it shuts its tools in and which it has and lacks, until it is closed. */
export function startPresence({
  worker,
  findTools,
  log,
  everyMs = 3000,
  lookEvery = 5,
}: PresenceOptions): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const tell = ({ missing, tools }: FoundTools | typeof unknown) =>
    reportBuildWorker({ ...worker, missing, tools }).catch((err) =>
      log.debug({ err }, "presence not told"),
    );
  const run = async () => {
    // The first look starts programs, which takes longer than it takes to be up.
    let found: FoundTools | typeof unknown = unknown;
    await tell(found);
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      if (turn % lookEvery === 0)
        found = await findTools().catch((err) => {
          log.warn({ err }, "tools not looked for");
          return unknown;
        });
      await tell(found);
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
