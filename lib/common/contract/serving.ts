import { z } from "zod";

/** How many slots serve a revision, how requests wait for them, and which of them share a call. Set with the revision; `/config` shows it. */
export const servingSchema = z.strictObject({
  /** Slots that serve the revision side by side; absent: one. */
  replicas: z.number().int().min(1).max(16).optional(),
  /** Rows that may share one call; absent: as many as the artifact takes, 1: none share. */
  maxBatchSize: z.number().int().min(1).max(4096).optional(),
  /** How long the oldest may wait for others to share its call with. */
  maxWaitMs: z.number().min(0).max(10_000).optional(),
  /** Sizes that are sent without waiting on. */
  preferredBatchSizes: z.array(z.number().int().min(1).max(4096)).max(16).optional(),
  /** Calls that each replica has at a time. */
  instances: z.number().int().min(1).max(64).optional(),
  /** 1 is the most urgent. */
  priorityLevels: z.number().int().min(1).max(16).optional(),
  defaultPriority: z.number().int().min(1).max(16).optional(),
  /** Requests that may wait; the next one is refused. */
  maxQueueSize: z.number().int().min(1).max(100_000).optional(),
  /** How long one may wait; 0: as long as its caller does. */
  queueTimeoutMs: z.number().min(0).max(60_000).optional(),
  /** What becomes of one that waited too long: refused, or served after all that have not. */
  onTimeout: z.enum(["reject", "delay"]).optional(),
});
/** How a revision is served; what is absent has the default. */
export type Serving = z.infer<typeof servingSchema>;
