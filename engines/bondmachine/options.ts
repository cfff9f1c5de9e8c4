import { z } from "zod";
import { choiceFields } from "../fpga/choices";
import { parseBy } from "../parse-options";
import { numberTypes } from "../reference/number-type";

/** Settings of BondMachine builds. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z.strictObject({
  dataType: z
    .enum(["auto", ...numberTypes])
    .default("auto")
    .meta({ title: "Numbers" })
    .describe(
      "What the processors compute in. fpsSfF is fixed point of S bits, F of them behind the point: fps16f8 holds ±128 in steps of 1/256. Fewer bits behind the point hold larger sums, more of them finer ones, at the same size. 32 bits take twice the cells and four multipliers for each neuron. float16, float32: four and eight times the cells, some six times the cycles. Auto: the first of fps16f8, fps32f16 and float32 that keeps the model's classes without running over.",
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
  flow: z
    .enum(["direct", "neuralbond"])
    .default("direct")
    .meta({ title: "Assembly by" })
    .describe(
      "Who writes the machine's assembly. direct: Boardwalk, one program for each neuron with its weights inside; the smallest machines. neuralbond: BondMachine's own tool, of our neuron library; it keeps six decimals of weights, adds processors for inputs and outputs, and must be on the build worker, too.",
    ),
  collapse: z
    .boolean()
    .default(true)
    .meta({ title: "Fuse fragments" })
    .describe(
      "Of neuralbond's machines: true makes one processor of each neuron and its weights; false leaves a processor for every weight, which is what neuralbond does by itself, with several times the cells.",
    ),
  softmax: z
    .enum(["host", "hardware"])
    .default("host")
    .meta({ title: "Softmax" })
    .describe(
      "Who makes probabilities of the scores at the model's end. host: the board's server, exactly. hardware: the machine itself, by neuralbond's softmax, so that the board answers probabilities; float32 alone, two to four times the cells, four and more times the cycles, and only right for small scores: the report says how far off it is.",
    ),
  expprec: z
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .meta({ title: "Terms of the exponential" })
    .describe(
      "Of softmax in hardware: how many terms of the series of exp each processor computes. Each costs some 180 cycles for each score. 5 hold scores from -1.2 to 1.8, 10 from -2.6 to 4.8, 20 from -5.4 to 11.8; more than 24 help positive scores alone. Beyond that probabilities are wrong, and of an odd number even below 0 or above 1. Left out: an even number, as few as hold the scores of the rows, up to 24.",
    ),
  simulate: choiceFields.simulate,
  clockHz: choiceFields.clockHz,
});
/** The engine's options, parsed. */
export type Options = z.infer<typeof optionsSchema>;

/** @throws {AppError} `OPTION_INVALID`, by name. */
export const parseOptions = (options: unknown): Options => parseBy(optionsSchema, options);
