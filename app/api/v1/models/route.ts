import { createReadStream } from "node:fs";
import { holdObject, releaseObject } from "@/domain/artifacts";
import { listModels, storeModel } from "@/domain/models";
import {
  type Model,
  modelSchema,
  pageOf,
  pageQuerySchema,
  type Scope,
} from "@/lib/common/contract";
import { hexOf } from "@/lib/server/digest";
import { defineHandler } from "@/lib/server/handler";
import { keepObject, objectStore, uploadsBucket } from "@/lib/server/storage";
import { inspect, resultOf, timedOut } from "../_shared/inspect";
import { once } from "../_shared/once";
import { receiveUpload, type Upload } from "../_shared/upload";

export const dynamic = "force-dynamic";

/** An upload waits longer for its inspection than a URL that is being typed. */
const inspectMs = 60_000;
/** Well beyond what one upload may take; who dies in between lets go of it then. */
const holdS = 3600;

export const GET = defineHandler({
  name: "models.list",
  summary: "Models that were stored, newest first.",
  query: pageQuerySchema,
  response: pageOf(modelSchema),
  handle: ({ scope, query }) => listModels(scope, query),
});

export const POST = defineHandler({
  name: "models.create",
  summary:
    "Stores a model file (multipart field `file`, up to 512 MiB) if an engine could read it.",
  rawBody: "multipart/form-data",
  response: modelSchema,
  status: 201,
  idempotent: true,
  handle: async ({ scope, request, idempotencyKey, signal }) => {
    const upload = await receiveUpload(request);
    try {
      return await keep(scope, upload, { idempotencyKey, signal });
    } finally {
      await upload.close();
    }
  },
});

/** Puts the bytes into the project's bucket and has them inspected there; what cannot be taken leaves nothing behind. */
async function keep(
  scope: Scope,
  { path, name, digest, sizeBytes }: Upload,
  { idempotencyKey, signal }: { idempotencyKey: string | null; signal: AbortSignal },
): Promise<Model> {
  const store = objectStore();
  const bucket = uploadsBucket(scope);
  const key = hexOf(digest);
  const url = `s3://${bucket}/${key}`;
  await store.ensureBucket(bucket);
  const hold = await holdObject({ bucket, key }, holdS);
  try {
    await keepObject(store, { bucket, key }, { sizeBytes, digest }, () => createReadStream(path));
    const inspection = resultOf(await inspect(scope, url, { timeoutMs: inspectMs, signal }));
    if (!inspection) throw timedOut();
    return await once(
      { scope, idempotencyKey, body: { digest, name } },
      201,
      async () => (tx) => storeModel(tx, scope, { name, url, digest, sizeBytes, inspection }),
    );
  } finally {
    await releaseObject(store, hold);
  }
}
