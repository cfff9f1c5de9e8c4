import { z } from "zod";

const count = z.number().int().nonnegative();
const pair = z.tuple([z.number().int(), z.number().int()]).readonly();

/** A dense layer, without its weights. */
export const denseOutlineSchema = z.object({
  outputs: count,
  /** The largest `Σ |w| / max |w|` of an output: how far its sums can reach beyond one product. */
  reach: z.number(),
  /** The function that is looked up behind the layer, by number: layers with the same one share a table. Null: none. */
  table: count.nullable(),
  /** Of a quantised model: bits of what is looked up. */
  tableBits: count.optional(),
  /** Of a quantised model: bits of each weight. */
  weightBits: count.optional(),
  /** How many signed digits all weights have that are not 0: of a quantised model, else by bits of the weights from 2 on. */
  digits: z.union([count, z.array(count).readonly()]).optional(),
  /** How many adders come one after the other where every weight has its own, in the same form. */
  levels: z.union([count, z.array(count).readonly()]).optional(),
});
/** A dense layer as a forecast sees it. */
export type DenseOutline = z.infer<typeof denseOutlineSchema>;

const mapShape = { height: count, width: count, channels: count };
const view = z.object({ ...mapShape, strides: z.tuple([count, count, count]).readonly() });
const window = z.object({ kernel: pair, strides: pair, dilations: pair, padding: pair });

/** The function that is looked up behind a sum, by number; left out: none. */
const tableNumber = count.optional();

/** A layer over feature maps, without its weights. `from` is the place of the layer that is read, −1 for the input. */
export const mapOutlineSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("convolution"),
    from: z.number().int(),
    input: view,
    output: z.object(mapShape),
    window,
    groups: count,
    relu: z.boolean(),
    reach: z.number(),
    table: tableNumber,
  }),
  z.object({
    kind: z.literal("max-pool"),
    from: z.number().int(),
    input: view,
    output: z.object(mapShape),
    window,
  }),
  z.object({
    kind: z.literal("add"),
    from: pair,
    output: z.object(mapShape),
    relu: z.boolean(),
    table: tableNumber,
  }),
  z.object({
    kind: z.literal("product"),
    from: pair,
    input: view,
    output: z.object(mapShape),
    relu: z.boolean(),
    table: tableNumber,
  }),
  z.object({
    kind: z.literal("concat"),
    from: z.array(z.number().int()).readonly(),
    channels: z.array(count).readonly(),
    output: z.object(mapShape),
  }),
]);
/** A layer over maps as a forecast sees it, told apart by `kind`. */
export type MapOutline = z.infer<typeof mapOutlineSchema>;

/** What a tree core is made of: everything that its cells follow from. */
export const treeOutlineSchema = z.object({
  trees: count,
  /** Bytes of a row of ranks, and of the scores. */
  inputBytes: count,
  outputBytes: count,
  latencyCycles: count,
  comparisons: count,
  /** Distinct digits of one-byte limits, and distinct limits of two bytes. */
  digits: count,
  wideLimits: count,
  /** With the ways from one part of a deep tree into another. */
  leaves: count,
  /** Bits of leaves that differ, by how many bits a leaf's number has: `tables[3]` are those of trees of 5 to 8 leaves. */
  tables: z.array(count),
  /** Parts of deep trees that lie below others, and bits of what all parts add, of which one counts. */
  chunks: count,
  joins: count,
  /** Bits that hold the leaves' numbers, and what differs of their values. */
  leafBits: count,
  /** Bits of all adders, and registers that wait for them. */
  adderBits: count,
});
/** A tree ensemble as a forecast sees it. */
export type TreeOutline = z.infer<typeof treeOutlineSchema>;

/** As much of a model as a forecast needs: sizes and shapes, and no weights. */
export const outlineSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("dense"),
    inputs: count,
    layers: z.array(denseOutlineSchema).min(1),
    /** There for a model that brings its own bits: those of inputs and scores, and why the array cannot run it. */
    quantized: z
      .object({ inputBits: count, outputBits: count, arrayRefusal: z.string().nullable() })
      .optional(),
  }),
  z.object({ kind: z.literal("maps"), inputs: count, layers: z.array(mapOutlineSchema).min(1) }),
  treeOutlineSchema.extend({ kind: z.literal("trees") }),
]);
/** The sizes of a model, enough to forecast any architecture. */
export type Outline = z.infer<typeof outlineSchema>;
