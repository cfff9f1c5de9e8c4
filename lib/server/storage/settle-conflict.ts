import { fail } from "@/lib/common/errors";
import type { ObjectStore, PutOptions } from "./object-store";
import { verifyObject } from "./verify";

/** A conditional put met an object: it counts as done if that holds the same bytes. */
export async function settleConflict(
  store: ObjectStore,
  at: { readonly bucket: string; readonly key: string },
  { digest, sizeBytes }: PutOptions,
): Promise<"exists"> {
  const same =
    digest === undefined
      ? (await store.head(at.bucket, at.key))?.sizeBytes === sizeBytes
      : await verifyObject(store, at, { digest, sizeBytes });
  if (same) return "exists";
  throw fail("STATE_CONFLICT", "Another object is stored under this name.");
}
