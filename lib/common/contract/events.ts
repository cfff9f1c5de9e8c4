import { z } from "zod";

/** One change, as the event stream tells it: what changed, never its contents. */
export const changeEventSchema = z.object({
  seq: z.number().int(),
  noun: z.enum(["build", "endpoint", "board", "model", "artifact"]),
  /** The id or name under which the API serves it. */
  id: z.string(),
});
/** Tells a reader to ask again for what changed. */
export type ChangeEvent = z.infer<typeof changeEventSchema>;
