import { listModels, storeModel } from "@/domain/models";
import { type Model, modelSchema, pageOf, pageQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { keepUpload } from "../_shared/keep-upload";
import { receiveUpload } from "../_shared/upload";

export const dynamic = "force-dynamic";

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
  handle: async ({ scope, request, idempotencyKey, signal }): Promise<Model> => {
    const upload = await receiveUpload(request);
    const { name, digest, sizeBytes } = upload;
    try {
      return await keepUpload(scope, upload, {
        idempotencyKey,
        signal,
        write:
          ({ url, inspection }) =>
          (tx) =>
            storeModel(tx, scope, { name, url, digest, sizeBytes, inspection }),
      });
    } finally {
      await upload.close();
    }
  },
});
