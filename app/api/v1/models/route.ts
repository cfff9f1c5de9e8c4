import { exportModels, listModels, storeModel } from "@/domain/models";
import {
  exportedModelSchema,
  listedModelSchema,
  type Model,
  modelListQuerySchema,
  modelSchema,
  pageOf,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { exportFile, exportFormat } from "../_shared/export";
import { keepUpload } from "../_shared/keep-upload";
import { receiveUpload } from "../_shared/upload";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "models.list",
  needs: "read",
  summary:
    "Models that were sent or that builds read and that match, each by its newest version, page by page; with `format`, or `Accept: text/csv`, all of them as one file.",
  query: modelListQuerySchema,
  response: pageOf(listedModelSchema),
  rawResponse: "text/csv",
  handle: async ({ scope, query: { format: asked, ...query }, request }) => {
    const format = exportFormat(asked, request);
    if (format === null) return await listModels(scope, query);
    return exportFile({
      name: "models",
      format,
      columns: Object.keys(exportedModelSchema.shape),
      rows: exportModels(scope, query),
    });
  },
});

export const POST = defineHandler({
  name: "models.create",
  needs: "build",
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
