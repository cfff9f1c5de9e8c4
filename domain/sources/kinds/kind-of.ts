import type { ConnectionKind, Places } from "@/lib/common/contract";
import { https } from "./https";
import { huggingface } from "./huggingface";
import { oci } from "./oci";
import { s3 } from "./s3";
import type { SourceKind } from "./source-kind";

const kinds: { readonly [K in ConnectionKind]: SourceKind<Places[K]> } = {
  s3,
  https,
  oci,
  huggingface,
};

/** What a kind means. */
export function kindOf<K extends ConnectionKind>(kind: K): SourceKind<Places[K]> {
  return kinds[kind];
}
