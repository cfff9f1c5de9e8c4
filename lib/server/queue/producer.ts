import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { fail } from "@/lib/common/errors";
import { killableCalls } from "@/lib/server/process";
import { jobSettings, type QueueName, reconnectMs } from "./settings";

/** A job as the queue holds it: ids, never data. */
export interface QueuedJob {
  readonly queue: QueueName;
  /** Without `:` and not all digits: BullMQ's own marks. */
  readonly jobId: string;
  /** Ids only. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Rings the doorbell. Every call answers or fails within seconds, also while Redis is away. */
export interface Producer {
  /** Adds a job; a job of that id which is still stored makes this do nothing. */
  add(job: QueuedJob): Promise<void>;
  /**
   * Whether a job of that id is still to be delivered. One that was delivered either claimed its row at once or died
   * with its worker, so it counts no more.
   */
  isLive(queue: QueueName, jobId: string): Promise<boolean>;
  close(): Promise<void>;
}

const commandTimeoutMs = 3000;
const liveStates: ReadonlySet<string> = new Set([
  "waiting",
  "delayed",
  "prioritized",
  "waiting-children",
]);

/** Puts jobs on the queue; fails fast while Redis is away, since the outbox will ask again. */
export function createProducer({
  url,
  onError,
}: {
  readonly url: string;
  readonly onError: (error: Error) => void;
}): Producer {
  const connection = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs,
    retryStrategy: reconnectMs,
  });
  connection.on("error", onError);
  const queues = new Map<QueueName, Queue>();
  /** Made once there is a connection: a Queue that is born without one never recovers. */
  const queueOf = (name: QueueName) => {
    if (connection.status !== "ready") throw fail("STORE_UNAVAILABLE", "Redis is away.");
    const queue = queues.get(name) ?? new Queue(name, { connection, skipWaitingForReady: true });
    if (!queues.has(name)) queue.on("error", onError);
    queues.set(name, queue);
    return queue;
  };

  const producer: Producer = {
    async add({ queue, jobId, payload }) {
      await inTime(queueOf(queue).add(queue, payload, { ...jobSettings, jobId }));
    },
    async isLive(queue, jobId) {
      return liveStates.has(await inTime(queueOf(queue).getJobState(jobId)));
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
  return killableCalls(producer, { isCall: (method) => method !== "close" });
}

/** BullMQ may wait for a connection without end; the relay must not. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(fail("STORE_UNAVAILABLE", "Redis did not answer in time.")),
      commandTimeoutMs + 1000,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
