import { z } from "zod";

const count = z.number().int().nonnegative();

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
export type TreeOutline = z.infer<typeof treeOutlineSchema>;
