import { z } from "zod";

const count = z.number().int().nonnegative();

/** Counted up when what outlines hold takes another form: a page does not read those of a worker that is older or newer. */
export const outlineVersion = 3;

/** As much of a model as a forecast needs: sizes, widths and counts, and no weights. */
export const outlineSchema = z.object({
  version: z.literal(outlineVersion),
  /** Of a row and of its answer, as they pass the core's port. */
  inputBytes: count,
  outputBytes: count,
  /** Whether the model says itself how many bits its numbers have, so that no precision changes anything. */
  hasOwnBits: z.boolean(),
  /** What each of the compiler's architectures that can make it estimates from, in a form of its own. */
  cores: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type Outline = z.infer<typeof outlineSchema>;
