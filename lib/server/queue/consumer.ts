import { Worker } from "bullmq";
import { type QueueName, reconnectMs, workerSettings } from "./settings";

/** Which queue is consumed, and how many jobs run at a time. */
export interface ConsumerOptions {
  readonly url: string;
  readonly queue: QueueName;
  readonly concurrency: number;
  /** Gets the payload as it came: parse it. Whatever happens the job is acknowledged; Postgres decides on retries. */
  readonly run: (payload: unknown) => Promise<void>;
  readonly onError: (error: Error) => void;
}

/** A running consumer; `close` waits for the jobs that it has. */
export interface Consumer {
  /** Takes no more jobs and waits for those that run; with `force` it does not wait. */
  close(force?: boolean): Promise<void>;
}

/** Listens to a queue. It waits for Redis as long as that is away. */
export function startConsumer(options: ConsumerOptions): Consumer {
  const { url, queue, concurrency, run, onError } = options;
  const worker = new Worker<unknown, void>(queue, ({ data }) => run(data), {
    ...workerSettings,
    concurrency,
    connection: { url, maxRetriesPerRequest: null, retryStrategy: reconnectMs },
  });
  worker.on("error", onError);
  worker.on("failed", (_, error) => onError(error));
  return { close: (force = false) => worker.close(force) };
}
