import type { Logger } from "pino";
import { markPublished, type OutboxRow, takeOutbox } from "@/domain/outbox";
import { Backoff } from "@/lib/common/backoff";
import { Bell } from "@/lib/server/db";
import { fault } from "@/lib/server/process";
import type { Producer } from "@/lib/server/queue";

export interface RelayOptions {
  readonly producer: Producer;
  readonly sweepS: number;
  readonly log: Logger;
}

const batch = 100;

/**
 * Puts waiting outbox rows on the queue: at once when the database tells of one, and by sweeping behind that. Several
 * relays, or one that dies between adding and marking, add a job twice; the claim makes it one attempt.
 */
export function startRelay({ producer, sweepS, log }: RelayOptions): { close(): Promise<void> } {
  const stop = new AbortController();
  const bell = new Bell(["outbox"]);

  const run = async () => {
    const backoff = new Backoff({ firstMs: 200, mostMs: 30_000 });
    while (!stop.signal.aborted) {
      try {
        while (!stop.signal.aborted && (await relayBatch(producer)) === batch);
        if (backoff.failures > 0) log.info("relay goes on");
        backoff.reset();
        await bell.wait(sweepS * 1000, stop.signal);
      } catch (err) {
        const level = backoff.failures === 0 ? "warn" : "debug";
        log[level]({ err }, "relay waits for its stores");
        await backoff.wait(stop.signal);
      }
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await Promise.all([running, bell.close()]);
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
