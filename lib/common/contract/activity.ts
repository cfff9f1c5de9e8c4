import { z } from "zod";
import { isoTimeSchema } from "./names";

/** What people do that others notice. */
export const activityKinds = [
  "endpoint.created",
  "endpoint.paused",
  "endpoint.resumed",
  "endpoint.switched",
  "endpoint.deleted",
  "board.drained",
  "board.resumed",
  "model.archived",
] as const;

const activityItemSchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  kind: z.enum(activityKinds),
  /** What it was done to: `id` as in addresses of the API. */
  target: z.object({ id: z.string(), name: z.string(), isGone: z.boolean() }),
  /** The revision that an endpoint was switched to. */
  revision: z.number().int().optional(),
  /** The call that takes it back, below `/api/v1`; null: it is taken back already, or cannot be. */
  undo: z.object({ path: z.string(), body: z.record(z.string(), z.unknown()) }).nullable(),
});
/** One thing that was done. */
export type ActivityItem = z.infer<typeof activityItemSchema>;

/** What was done lately, newest first. */
export const activitySchema = z.object({ items: z.array(activityItemSchema) });
