import type { Logger } from "pino";
import { markPublished, type OutboxRow, takeOutbox } from "@/domain/outbox";
import { listen } from "@/lib/server/db";
import { fault } from "@/lib/server/process";
import type { Producer } from "@/lib/server/queue";
import { Bell } from "./bell";

export interface RelayOptions {
  readonly producer: Producer;
  readonly sweepS: number;
  readonly log: Logger;
}

const batch = 100;
const longestPauseMs = 30_000;

/**
 * Puts waiting outbox rows on the queue: at once when the database tells of one, and by sweeping behind that. Several
 * relays, or one that dies between adding and marking, add a job twice; the claim makes it one attempt.
 */
export function startRelay({ producer, sweepS, log }: RelayOptions): { close(): Promise<void> } {
  const stop = new AbortController();
  const bell = new Bell();
  const ear = listen("outbox", { onNotify: bell.ring, onReconnect: bell.ring });

  const run = async () => {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        while (!stop.signal.aborted && (await relayBatch(producer)) === batch);
        if (failures > 0) log.info("relay goes on");
        failures = 0;
      } catch (err) {
        const level = failures === 0 ? "warn" : "debug";
        log[level]({ err }, "relay waits for its stores");
        failures++;
      }
      const pauseMs =
        failures === 0 ? sweepS * 1000 : Math.min(2 ** failures * 100, longestPauseMs);
      await bell.wait(pauseMs, stop.signal, failures > 0);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await Promise.all([running, ear.close()]);
    },
  };
}

/** Publishes one batch, oldest first. Answers how many rows it found. */
async function relayBatch(producer: Producer): Promise<number> {
  const rows = await takeOutbox(batch);
  const added: OutboxRow[] = [];
  const results = await Promise.allSettled(
    rows.map(async (row) => {
      await producer.add(row);
      added.push(row);
    }),
  );
  if (added.length > 0) {
    fault("control.after-add");
    await markPublished(added.map(({ id }) => id));
  }
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return rows.length;
}
