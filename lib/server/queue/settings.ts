import { backoffMs } from "@/lib/common/backoff";

/**
 * BullMQ is a doorbell: a job is a hint that Postgres has work, and Postgres alone decides who does it and whether
 * it is tried again.
 */
export const jobSettings = {
  attempts: 1,
  removeOnComplete: { age: 600, count: 1000 },
  removeOnFail: { age: 86_400 },
} as const;

/** How BullMQ's workers hold jobs: Postgres decides about repeating, so BullMQ never does. */
export const workerSettings = {
  maxStalledCount: 1,
  lockDuration: 30_000,
  stalledInterval: 15_000,
  /** How long one blocking read waits; the shorter, the sooner a dead connection is noticed. */
  drainDelay: 5,
} as const;

/** The pause before Redis is tried again. */
export const reconnectMs = (tries: number) => backoffMs({ firstMs: 200, mostMs: 5000 }, tries);

/** Queues by what their workers do. */
export type QueueName = "build" | "inspect";
