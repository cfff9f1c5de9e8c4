import type { ArtifactIo } from "@/lib/common/contract";
import type { Rows } from "@/lib/common/rows";
import { type TensorSpec, toDatatype } from "@/lib/common/tensor";
import { batchOf, type Feed, makeFeeds, takesRows } from "../../rows";
import { arrayOf } from "./float-session";

/** Rows that a tool tries a model on. */
export interface SampleRows {
  readonly inputs: readonly TensorSpec[];
  /** Held-back rows that they are the first of; null where they are made up. */
  readonly rows: Rows | null;
  readonly count: number;
}

type Tensors = readonly Pick<ArtifactIo["inputs"][number], "name" | "datatype" | "shape">[];

/** Tensors of a manifest as readers of rows take them. */
export const specsOf = (tensors: Tensors): TensorSpec[] =>
  tensors.map(({ name, datatype, shape }) => ({ name, datatype: toDatatype(datatype), shape }));

/** Held-back rows where they fit, `most` of them; else a quarter as many that are made up, the same each time. */
export function sampleRowsOf(
  { inputs: tensors }: Pick<ArtifactIo, "inputs">,
  heldBack: Rows | null,
  most: number,
): SampleRows {
  const inputs = specsOf(tensors);
  const rows = takesRows(inputs, heldBack) ? heldBack : null;
  const wanted = rows ? Math.min(rows.count, most) : Math.ceil(most / 4);
  return { inputs, rows, count: batchOf(inputs[0] ?? { shape: [] }, wanted) };
}

/** What each input is given: its name, and one batch of values. */
export const sampleFeeds = ({ inputs, rows, count }: SampleRows): ReadonlyMap<string, Feed> =>
  makeFeeds(inputs, rows, count);

/** The bytes of a feed, as its datatype has them. */
export function bytesOfFeed(feed: Feed): Buffer {
  const { buffer, byteOffset, byteLength } = arrayOf(feed) as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The rows as JSON, for a tool to read. */
export function sampleText(sample: SampleRows): string {
  const feeds = [...sampleFeeds(sample)].map(([name, feed]) => ({
    name,
    datatype: feed.datatype,
    shape: feed.shape,
    data: bytesOfFeed(feed).toString("base64"),
  }));
  return JSON.stringify(feeds);
}
