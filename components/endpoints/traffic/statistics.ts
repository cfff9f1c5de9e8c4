import { z } from "zod";

const durationSchema = z.object({ count: z.number(), ns: z.number() });

/** What the gateway counts of one version of a model: V2's statistics, with counts of ours. */
const modelStatisticsSchema = z.object({
  version: z.string(),
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
  /** Elements of inputs that were outside of the range that the firmware was built for. */
  clipped_input_count: z.number(),
  memory_usage: z.array(z.object({ byte_size: z.number() })),
  pending_request_count: z.number(),
});
/** Counts of one version of a model since the gateway started. */
export type ModelStatistics = z.infer<typeof modelStatisticsSchema>;

export const statisticsSchema = z.object({ model_stats: z.array(modelStatisticsSchema) });
