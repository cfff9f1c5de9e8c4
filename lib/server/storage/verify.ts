import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Digest } from "@/lib/common/contract";
import { DigestStream } from "@/lib/server/digest";
import type { ObjectStore } from "./object-store";

/** Reads an object whole and says whether its size and digest are these; false too when it is not there. */
export async function verifyObject(
  store: ObjectStore,
  at: { readonly bucket: string; readonly key: string },
  expected: { readonly digest: Digest; readonly sizeBytes: number },
): Promise<boolean> {
  const head = await store.head(at.bucket, at.key);
  if (head?.sizeBytes !== expected.sizeBytes) return false;
  const { stream } = await store.get(at.bucket, at.key);
  const hashed = new DigestStream();
  await pipeline(stream, hashed, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return hashed.digest === expected.digest && hashed.sizeBytes === expected.sizeBytes;
}
