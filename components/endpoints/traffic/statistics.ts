import { z } from "zod";

const durationSchema = z.object({ count: z.number(), ns: z.number() });

const recentSlotSchema = z.object({
  /** Slots before the one that is filling now. */
  ago: z.number(),
  success: z.number(),
  fail: z.number(),
  rows: z.number(),
  calls: z.number(),
  /** By the bounds of the histogram below. */
  counts: z.array(z.number()),
});
export type RecentSlot = z.infer<typeof recentSlotSchema>;

/** What the gateway counts of one version of a model: V2's statistics, with a histogram and the last five minutes, both ours. */
export const modelStatisticsSchema = z.object({
  name: z.string(),
  version: z.string(),
  last_inference: z.number(),
  inference_count: z.number(),
  execution_count: z.number(),
  inference_stats: z.object({
    success: durationSchema,
    fail: durationSchema,
    queue: durationSchema,
    compute_input: durationSchema,
    compute_infer: durationSchema,
  }),
  batch_stats: z.array(z.object({ batch_size: z.number(), compute_infer: durationSchema })),
  request_duration_histogram: z.object({
    bounds_seconds: z.array(z.number()),
    counts: z.array(z.number()),
  }),
  /** Elements of inputs that were outside of the range that the firmware was built for. */
  clipped_input_count: z.number(),
  memory_usage: z.array(z.object({ byte_size: z.number() })),
  pending_request_count: z.number(),
  recent: z.object({
    slot_seconds: z.number(),
    known_slots: z.number(),
    slots: z.array(recentSlotSchema),
  }),
});
/** Counts of one version of a model since the gateway started. */
export type ModelStatistics = z.infer<typeof modelStatisticsSchema>;

export const statisticsSchema = z.object({ model_stats: z.array(modelStatisticsSchema) });
