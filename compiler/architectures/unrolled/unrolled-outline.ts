import { z } from "zod";

const count = z.number().int().nonnegative();

/** Tables of one size: as many as there are values to look up. */
const tableCountSchema = z.object({ count, bits: count });
export type TableCount = z.infer<typeof tableCountSchema>;

const figuresSchema = z.object({
  /** Logic cells without tables, and flip-flops, of the core alone. */
  lut: count,
  flipFlops: count,
  latencyCycles: count,
  tables: z.array(tableCountSchema).readonly(),
});
/** What an unrolled core is made of, before it is put on a part. */
export type UnrolledFigures = z.infer<typeof figuresSchema>;

const precisionSchema = z.object({
  inputBits: count,
  weightBits: z.tuple([count], count).readonly(),
  activationBits: count,
});

export const unrolledOutlineSchema = z.object({
  inputs: count,
  /** Of a value of a row; and of all scores together. */
  inputBits: count,
  scoreBits: count,
  layers: z
    .array(
      z.object({
        outputs: count,
        inputs: count,
        /** Signed digits of all weights that are not 0: at the model's own bits, else at each number of bits from 2 on. */
        digits: z.array(count).min(1).readonly(),
        /** Adders one after the other, in the same form. */
        levels: z.array(count).min(1).readonly(),
        /** Bits of the values that it makes. */
        valueBits: count,
        /** Bits of what is looked up behind it; null: nothing. */
        tableBits: count.nullable(),
      }),
    )
    .min(1),
  /** Networks that were built to count them: by bits, and by what costs of a family they are for. */
  built: z
    .array(
      z.object({
        /** Null: the model's own. */
        precision: precisionSchema.nullable(),
        figures: z.record(z.string(), figuresSchema),
      }),
    )
    .readonly(),
  /** The bits to estimate at; null: the model's own. */
  at: precisionSchema.nullable(),
});

/** What the estimate of an unrolled core depends on. */
export type UnrolledOutline = z.infer<typeof unrolledOutlineSchema>;
