import { z } from "zod";
import { fail } from "@/lib/common/errors";
import { choiceFields } from "../fpga/choices";
import { numberTypes } from "../reference/number-type";

/** Settings of BondMachine builds. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z.strictObject({
  dataType: z
    .enum(["auto", ...numberTypes])
    .default("auto")
    .meta({ title: "Numbers" })
    .describe(
      "What the processors compute in. fps16f8: fixed point of 16 bits, 8 behind the point; smallest and quickest, holds ±128. fps32f16: of 32 bits, 16 behind the point; twice the cells, four multipliers for each neuron. float16, float32: four and eight times the cells, some six times the cycles. Auto: the first fixed-point type that keeps the model's classes without running over, else float32.",
    ),
  prune: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta({ title: "Prune below" })
    .describe(
      "Connections whose weight is smaller than this, as a share of the largest of their layer, are left out: each saves a link, four instructions and six cycles of its layer. Every neuron and every value keep one. 0 leaves none out. The build measures what is lost.",
    ),
  simulate: choiceFields.simulate,
  clockHz: choiceFields.clockHz,
});
/** The engine's options, parsed. */
export type Options = z.infer<typeof optionsSchema>;

/** @throws {AppError} `OPTION_INVALID`, by name. */
export function parseOptions(options: unknown): Options {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fail("OPTION_INVALID", issue?.message ?? "The options cannot be read.", {
    field: ["options", ...(issue?.path ?? [])].join("."),
  });
}
