import { z } from "zod";

/** A change with which a model that does not fit would fit: whoever estimated it has tried it. */
export const fitSchema = z.object({
  /** `Weights of 6 bits`, `On ULX3S 85F`. */
  title: z.string(),
  /** All options of the changed request, not only those that change. */
  options: z.record(z.string(), z.unknown()),
  /** Model of another board. */
  board: z.string().optional(),
});
/** A way out for a model that is too large. */
export type Fit = z.infer<typeof fitSchema>;

/** In `details` of `MODEL_TOO_LARGE`. */
export const tooLargeSchema = z.object({
  /** What is missing, by resource. */
  lacking: z
    .array(
      z.object({ id: z.string(), name: z.string(), needed: z.number(), available: z.number() }),
    )
    .default([]),
  fits: z.array(fitSchema).default([]),
});
