import type { Logger } from "pino";
import type { z } from "zod";
import type { QueueName } from "@/lib/server/queue";

export interface JobContext {
  readonly log: Logger;
  /** Aborts when the worker stops and its drain time is over: hand back what is not finished. */
  readonly signal: AbortSignal;
  readonly workerId: string;
}

/** What a worker does with the jobs of one queue. */
export interface Processor {
  /** `build.run`: the `job` of its log lines. */
  readonly name: string;
  readonly queue: QueueName;
  /** Never throws for what a build can end with; what it throws is logged, and the job is over all the same. */
  readonly handle: (payload: unknown, ctx: JobContext) => Promise<void>;
}

/**
 * Makes a processor. Payloads are outside input: one that does not fit its schema is refused.
 * Jobs come at least once, so `run` starts with a claim in Postgres.
 */
export function defineProcessor<Payload extends z.ZodType>(definition: {
  readonly name: string;
  readonly queue: QueueName;
  readonly payload: Payload;
  readonly run: (payload: z.infer<Payload>, ctx: JobContext) => Promise<void>;
}): Processor {
  const { name, queue, payload, run } = definition;
  return {
    name,
    queue,
    handle: async (data, ctx) => run(payload.parse(data), ctx),
  };
}
