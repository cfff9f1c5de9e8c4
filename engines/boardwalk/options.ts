import { z } from "zod";
import { type Precision, precisions } from "@/compiler";

const bits = (min: number, title: string, text: string) =>
  z
    .number()
    .int()
    .min(min)
    .max(8)
    .optional()
    .meta({ title })
    .describe(`${text} Left out: what “Numbers” says.`);

/** Settings of the built-in compiler. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z.strictObject({
  simulate: z
    .enum(["core", "shell"])
    .default("core")
    .meta({ title: "Simulate" })
    .describe(
      "What a simulated board runs: the core at its stream port, or the whole serial link bit by bit, which is slower.",
    ),
  precision: z
    .enum(["exact-ish", "balanced", "smallest"])
    .default("exact-ish")
    .meta({ title: "Numbers" })
    .describe(
      "Bits of weights and hidden values: exact-ish 8 and 8, balanced 6 and 8, smallest 4 and 6. The build measures what is lost.",
    ),
  inputBits: bits(4, "Input bits", "Of each input, after scaling."),
  weightBits: bits(2, "Weight bits", "Of each weight."),
  activationBits: bits(2, "Hidden bits", "Of each hidden value."),
  architecture: z
    .enum(["auto", "array", "unrolled"])
    .default("auto")
    .meta({ title: "Architecture" })
    .describe(
      "Array: one set of multipliers works off all layers. Unrolled: every weight has adders of its own, which is fastest and largest. Auto: unrolled where it fits.",
    ),
  clockHz: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ title: "Clock (Hz)" })
    .describe("One of the board's clocks. Left out: the highest that the design reaches."),
  seeds: z
    .number()
    .int()
    .min(1)
    .max(8)
    .default(1)
    .meta({ title: "Placements" })
    .describe(
      "Placements to try at each clock before a slower one is taken: a few are some percent faster than one.",
    ),
  lanes: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .meta({ title: "Lanes" })
    .describe("Multipliers that work side by side. Left out: as few as reach the shortest time."),
});
export type Options = z.infer<typeof optionsSchema>;

/** The named precision, with what was asked for beside it. */
export function precisionOf({
  precision,
  inputBits,
  weightBits,
  activationBits,
}: Options): Precision {
  const named = precisions[precision];
  return {
    inputBits: inputBits ?? named.inputBits,
    weightBits: weightBits === undefined ? named.weightBits : [weightBits],
    activationBits: activationBits ?? named.activationBits,
  };
}
