import type { Readable } from "node:stream";
import type { Digest } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import type { ObjectStore, PutOptions } from "./object-store";
import { verifyObject } from "./verify";

/**
 * Stores bytes under a name of their digest and reads them back, so that a row may name them (R6). An object of that name
 * that holds other bytes is damaged, whoever put it, and replaced.
 *
 * @param open Gives the bytes; called again when they must be put again.
 * @throws {AppError} `OBJECT_DAMAGED` when the store does not give back what it was given; those of `put`.
 */
export async function keepObject(
  store: ObjectStore,
  at: { readonly bucket: string; readonly key: string },
  promised: { readonly digest: Digest; readonly sizeBytes: number },
  open: () => Readable,
): Promise<void> {
  const put = async (options: PutOptions) => {
    const body = open();
    try {
      return await store.put(at.bucket, at.key, body, options);
    } finally {
      body.destroy();
    }
  };
  const first = await put({ ...promised, ifNoneMatch: "*" }).catch(async (error: unknown) => {
    if (!isAppError(error) || error.reason !== "STATE_CONFLICT") throw error;
    return await put(promised);
  });
  // "exists" was read whole already.
  if (first === "stored" && !(await verifyObject(store, at, promised))) throw damaged(at.key);
}

/** An object is not what its name says. Trying again may help: it may be the reading that went wrong. */
export function damaged(key: string) {
  return fail(
    "OBJECT_DAMAGED",
    `The object store gives other bytes for ${key} than it was given.`,
    {
      hint: "Look at the disk, the memory and the network of the object store.",
    },
  );
}
