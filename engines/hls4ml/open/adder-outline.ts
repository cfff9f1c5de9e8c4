import { z } from "zod";

const count = z.int().nonnegative();

/** Of a network at one precision: the signed digits of its weights, and the adders in a row that they come to. */
export const adderCountSchema = z.object({ digits: count, levels: count });
export type AdderCount = z.infer<typeof adderCountSchema>;

/** What a form forecasts adders from: counts at each precision, without any weights. Other processes make it. */
export const adderOutlineSchema = z.object({
  precisions: z.record(z.string(), adderCountSchema),
});
export type AdderOutline = z.infer<typeof adderOutlineSchema>;
