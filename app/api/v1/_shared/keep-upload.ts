import { createReadStream } from "node:fs";
import { holdObject, releaseObject } from "@/domain/artifacts";
import { requireStorageRoom } from "@/domain/quotas";
import type { Inspection, Scope } from "@/lib/common/contract";
import type { Tx } from "@/lib/server/db";
import { hexOf } from "@/lib/server/digest";
import { keepObject, objectStore, uploadsBucket } from "@/lib/server/storage";
import { inspect, resultOf, timedOut } from "./inspect";
import { once } from "./once";
import type { Upload } from "./upload";

/** An upload waits longer for its inspection than a URL that is being typed. */
const inspectMs = 60_000;
/** Well beyond what one upload may take; who dies in between lets go of it then. */
const holdS = 3600;

export interface KeptUpload {
  readonly url: string;
  readonly inspection: Inspection;
}

/**
 * Puts an upload into the project's bucket and has it inspected there; what cannot be taken leaves nothing behind.
 *
 * @param write Judges what was found, then writes the row that names the upload.
 * @throws {AppError} `QUOTA_EXCEEDED`; what the worker met, and what `write` throws.
 */
export async function keepUpload<T>(
  scope: Scope,
  { path, name, digest, sizeBytes }: Upload,
  {
    idempotencyKey,
    signal,
    write,
  }: {
    readonly idempotencyKey: string | null;
    readonly signal: AbortSignal;
    readonly write: (kept: KeptUpload) => (tx: Tx) => Promise<T>;
  },
): Promise<T> {
  await requireStorageRoom(null, scope, sizeBytes);
  const store = objectStore();
  const bucket = uploadsBucket(scope);
  const key = hexOf(digest);
  const url = `s3://${bucket}/${key}`;
  await store.ensureBucket(bucket);
  const hold = await holdObject({ bucket, key }, { forS: holdS });
  try {
    await keepObject(store, { bucket, key }, { sizeBytes, digest }, () => createReadStream(path));
    const inspection = resultOf(await inspect(scope, url, { timeoutMs: inspectMs, signal }));
    if (!inspection) throw timedOut();
    return await once({ scope, idempotencyKey, body: { digest, name } }, 201, async () =>
      write({ url, inspection }),
    );
  } finally {
    await releaseObject(store, hold);
  }
}
