import { z } from "zod";
import { type Precision, precisions } from "@/compiler";
import { choiceFields } from "../fpga/choices";
import { parseBy } from "../parse-options";

const bits = (min: number, title: string, text: string) =>
  z
    .number()
    .int()
    .min(min)
    .max(8)
    .optional()
    .meta({ title })
    .describe(`${text} Left out: what “Numbers” says.`);

const weightBitsSchema = z.number().int().min(2).max(8);

/** Settings of the built-in compiler. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z
  .strictObject({
    simulate: choiceFields.simulate,
    precision: z
      .enum(["exact-ish", "balanced", "smallest", "fastest"])
      .default("exact-ish")
      .meta({ title: "Numbers" })
      .describe(
        "Bits of weights and hidden values: exact-ish 8 and 8, balanced 6 and 8, smallest 4 and 6. Fastest is 4 and 6 with 6-bit inputs, begins one clock higher than is believed and tries two placements. The build measures what is lost.",
      ),
    inputBits: bits(4, "Input bits", "Of each input, after scaling."),
    weightBits: z
      .union([weightBitsSchema, z.array(weightBitsSchema).min(1).max(64)])
      .optional()
      .meta({ title: "Weight bits" })
      .describe(
        "Of each weight, for all layers or a list with one entry per layer. Left out: what “Numbers” says.",
      ),
    activationBits: bits(2, "Hidden bits", "Of each hidden value."),
    architecture: z
      .enum(["auto", "array", "unrolled"])
      .default("auto")
      .meta({ title: "Architecture" })
      .describe(
        "Array: one set of multipliers works off all layers. Unrolled: every weight has adders of its own, which is fastest and largest. Auto: unrolled where it fits.",
      ),
    clockHz: choiceFields.clockHz,
    seeds: z
      .number()
      .int()
      .min(1)
      .max(8)
      .optional()
      .meta({ title: "Placements" })
      .describe(
        "Placements to try at each clock before a slower one is taken: a few are some percent faster than one. Left out: 1, or 2 where “Numbers” says fastest.",
      ),
    lanes: z
      .number()
      .int()
      .min(1)
      .max(64)
      .optional()
      .meta({ title: "Lanes" })
      .describe("Multipliers that work side by side. Left out: as few as reach the shortest time."),
  })
  .superRefine(refuseContradictions);
/** The engine's options, parsed and without contradictions. */
export type Options = z.infer<typeof optionsSchema>;

/** Lanes belong to the array: whoever asks for them cannot ask for an unrolled design as well. */
function refuseContradictions(
  {
    architecture,
    precision,
    lanes,
  }: {
    readonly architecture: string;
    readonly precision: string;
    readonly lanes?: number | undefined;
  },
  context: z.RefinementCtx,
): void {
  if (lanes === undefined) return;
  const complain = (message: string) =>
    context.addIssue({ code: "custom", path: ["lanes"], message });
  if (architecture === "unrolled") {
    complain(
      `An unrolled design has no lanes; ${lanes} are asked for. Leave the lanes out, or choose the array.`,
    );
  } else if (precision === "fastest" && architecture === "auto") {
    complain(
      `“fastest” unrolls where that fits, and lanes rule it out. Leave the ${lanes} lanes out, or choose the array.`,
    );
  }
}

/** @throws {AppError} `OPTION_INVALID`, by name. */
export const parseOptions = (options: unknown): Options => parseBy(optionsSchema, options);

/** Placements to try at each clock. */
export const placementsOf = ({ seeds, precision }: Options): number =>
  seeds ?? (precision === "fastest" ? 2 : 1);

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
    weightBits: weightBits === undefined ? named.weightBits : listOf(weightBits),
    activationBits: activationBits ?? named.activationBits,
  };
}

function listOf(bits: number | readonly number[]): Precision["weightBits"] {
  const [first, ...rest] = [bits].flat();
  if (first === undefined) throw new RangeError("a list of bits has an entry");
  return [first, ...rest];
}
