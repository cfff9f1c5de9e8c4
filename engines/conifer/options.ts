import { z } from "zod";
import { parseBy } from "../parse-options";

const widthSchema = z.number().int().min(2).max(48);

/** Settings of conifer's own configuration. Every field has a label and a text, from which forms are drawn. */
export const optionsSchema = z.strictObject({
  width: widthSchema
    .default(18)
    .meta({ title: "Bits" })
    .describe("W of ap_fixed<W,I>: bits of features and thresholds."),
  integerBits: z
    .number()
    .int()
    .min(-16)
    .max(48)
    .optional()
    .meta({ title: "Integer bits" })
    .describe(
      "I of ap_fixed<W,I>: bits left of the point, the sign among them. Left out: as few as hold every threshold, which is enough where values saturate.",
    ),
  scoreWidth: widthSchema
    .default(18)
    .meta({ title: "Bits of scores" })
    .describe("W of the scores, which the leaves of all trees add up to."),
  scoreIntegerBits: z
    .number()
    .int()
    .min(2)
    .max(48)
    .optional()
    .meta({ title: "Integer bits of scores" })
    .describe("I of the scores. Left out: as few as hold the largest sum that there can be."),
  overflow: z
    .enum(["saturate", "wrap"])
    .default("saturate")
    .meta({ title: "Too large values" })
    .describe(
      "saturate keeps a value that does not fit at the largest one, and on its side of every threshold. wrap, which conifer does by itself, is smaller, and takes it for another number.",
    ),
  unroll: z
    .boolean()
    .default(true)
    .meta({ title: "Unroll trees" })
    .describe(
      "true makes logic of every node: a row each cycle. false keeps all trees in tables and walks them one after the other: smaller, and slower.",
    ),
  clockNs: z
    .number()
    .min(1)
    .max(100)
    .default(5)
    .meta({ title: "Clock period, ns" })
    .describe("What the project asks Vitis HLS for."),
});
export type Options = z.infer<typeof optionsSchema>;

/** @throws {AppError} `OPTION_INVALID`, by name. */
export const parseOptions = (options: unknown): Options => parseBy(optionsSchema, options);
