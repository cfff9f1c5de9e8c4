import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Digest } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { DigestStream } from "@/lib/server/digest";
import type { ObjectStore } from "./object-store";

/**
 * Reads an object whole and says whether its size and digest are these; false too when it is not there, or when the store
 * breaks off before its end.
 *
 * @throws {AppError} `STORE_UNAVAILABLE` when the store is away.
 */
export async function verifyObject(
  store: ObjectStore,
  at: { readonly bucket: string; readonly key: string },
  expected: { readonly digest: Digest; readonly sizeBytes: number },
): Promise<boolean> {
  const head = await store.head(at.bucket, at.key);
  if (head?.sizeBytes !== expected.sizeBytes) return false;
  const hashed = new DigestStream();
  try {
    const { stream } = await store.get(at.bucket, at.key);
    await pipeline(stream, hashed, new Writable({ write: (_chunk, _encoding, done) => done() }));
  } catch (error) {
    if (isAppError(error) && error.reason !== "NOT_FOUND") throw error;
    return false;
  }
  return hashed.digest === expected.digest && hashed.sizeBytes === expected.sizeBytes;
}
