import { z } from "zod";

const count = z.number().int().nonnegative();
const place = z.number().int();
const pair = z.tuple([place, place]).readonly();
const output = z.object({ height: count, width: count, channels: count });
const view = output.extend({ first: count, strides: z.tuple([count, count, count]).readonly() });
const window = z.object({ kernel: pair, strides: pair, dilations: pair, padding: pair });

/** A node of an integer graph without what it multiplies with, adds and looks up. */
export const hollowNodeSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("convolution"),
    from: place,
    input: view,
    output,
    window,
    groups: count,
    weightWidth: count,
    accumulatorWidth: count,
    /** Whether the sums of some channel are shifted to the left. */
    lifts: z.boolean(),
  }),
  z.object({ op: z.literal("max-pool"), from: place, input: view, output, window }),
  z.object({ op: z.literal("add"), from: pair, output, accumulatorWidth: count }),
  z.object({
    op: z.literal("product"),
    from: pair,
    input: view,
    output,
    accumulatorWidth: count,
  }),
  z.object({
    op: z.literal("concat"),
    from: z.array(place).readonly(),
    channels: z.array(count).readonly(),
    output,
  }),
  z.object({
    op: z.literal("requantize"),
    from: place,
    size: count,
    width: count,
    signed: z.boolean(),
    relu: z.boolean(),
    rounding: z.enum(["half-even", "half-odd", "floor"]).nullable(),
    bounds: z.object({ min: z.number(), max: z.number() }).nullable(),
  }),
  z.object({
    op: z.literal("table"),
    from: place,
    size: count,
    /** Nodes with the same number share a table. */
    image: count,
    inputWidth: count,
    inputSigned: z.boolean(),
    width: count,
    signed: z.boolean(),
  }),
]);
export type HollowNode = z.infer<typeof hollowNodeSchema>;

export const walkOutlineSchema = z.object({
  /** Values of a row, and their bits; the same of the answer. */
  inputs: count,
  inputBits: count,
  outputs: count,
  outputBits: count,
  nodes: z.array(hollowNodeSchema).min(1),
});

/** What the layout of a core that walks through feature maps depends on: an integer graph without its weights. */
export type WalkOutline = z.infer<typeof walkOutlineSchema>;
