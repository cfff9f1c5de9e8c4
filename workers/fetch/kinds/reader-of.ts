import type { ConnectionKind } from "@/lib/common/contract";
import { https } from "./https";
import { huggingface } from "./huggingface";
import { oci } from "./oci";
import { s3 } from "./s3";
import type { SourceReader } from "./source-reader";

const readers: { readonly [K in ConnectionKind]: SourceReader<K> } = {
  s3,
  https,
  oci,
  huggingface,
};

/** How a kind is read. */
export function readerOf<K extends ConnectionKind>(kind: K): SourceReader<K> {
  return readers[kind];
}
