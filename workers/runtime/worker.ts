import { setTimeout as delay } from "node:timers/promises";
import { toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";
import { processName } from "@/lib/server/process";
import { type Consumer, type QueueName, startConsumer } from "@/lib/server/queue";
import type { Processor } from "./processor";

export interface WorkerOptions {
  readonly redisUrl: string;
  readonly processors: readonly Processor[];
  readonly concurrency: number;
  /** Whether Postgres has had work for a queue for some time: then a silent queue is a broken one. */
  readonly hasWaiting: (queue: QueueName) => Promise<boolean>;
  /** Longest wait for running jobs at a stop, before they are told to hand back. */
  readonly drainMs?: number;
  readonly silenceMs?: number;
}

/** Running processors. `close()` takes no more jobs, lets the running ones end in time, and then tells them to. */
export interface WorkerHandle {
  /** Jobs that run now, by queue. */
  running(): ReadonlyMap<QueueName, number>;
  close(): Promise<void>;
}

const handBackMs = 15_000;

/** Listens to the queues of the processors until it is closed. */
export function startWorker(options: WorkerOptions): WorkerHandle {
  const { redisUrl, processors, concurrency, hasWaiting } = options;
  const { drainMs = 30_000, silenceMs = 60_000 } = options;
  const workerId = processName();
  const stop = new AbortController();
  const log = logger().child({ workerId });

  const ears = processors.map((processor) => {
    const ear = { processor, running: 0, heardAt: performance.now(), consumer: open() };
    function open(): Consumer {
      return startConsumer({
        url: redisUrl,
        queue: processor.queue,
        concurrency,
        run: (payload) => run(payload),
        onError: (err) => log.debug({ err, queue: processor.queue }, "queue"),
      });
    }
    async function run(payload: unknown): Promise<void> {
      const started = performance.now();
      ear.heardAt = started;
      ear.running++;
      const about = { job: processor.name, ...ids(payload) };
      try {
        await processor.handle(payload, { log: log.child(about), signal: stop.signal, workerId });
        log.info({ ...about, durationMs: Math.round(performance.now() - started) }, "job done");
      } catch (error) {
        const { code, reason } = toAppError(error);
        log.error({ ...about, code, reason, err: error }, "job failed");
      } finally {
        ear.running--;
        ear.heardAt = performance.now();
      }
    }
    return { ear, open };
  });

  /** Blocking reads have a history of never returning after a reconnect: then only a new connection helps. */
  const watch = setInterval(() => {
    for (const { ear, open } of ears) {
      if (ear.running > 0 || performance.now() - ear.heardAt < silenceMs) continue;
      const { queue } = ear.processor;
      hasWaiting(queue).then(
        (waiting) => {
          if (!waiting || stop.signal.aborted || ear.running > 0) return;
          log.warn({ queue }, "queue is silent while work waits: listening anew");
          ear.heardAt = performance.now();
          void ear.consumer.close(true).catch(() => {});
          ear.consumer = open();
        },
        () => {},
      );
    }
  }, silenceMs / 6);

  return {
    running: () => new Map(ears.map(({ ear }) => [ear.processor.queue, ear.running])),
    async close() {
      clearInterval(watch);
      const closed = Promise.allSettled(ears.map(({ ear }) => ear.consumer.close()));
      const drained = await Promise.race([
        closed.then(() => true),
        delay(drainMs, false, { ref: false }),
      ]);
      stop.abort();
      if (!drained) await Promise.race([closed, delay(handBackMs, undefined, { ref: false })]);
    },
  };
}

/** Ids of a payload for the log; nothing else of it is told. */
function ids(payload: unknown): Record<string, string> {
  if (payload === null || typeof payload !== "object") return {};
  const entries = Object.entries(payload).filter(
    (entry): entry is [string, string] => entry[0].endsWith("Id") && typeof entry[1] === "string",
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, value.slice(0, 64)]));
}
