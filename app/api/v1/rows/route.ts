import { createReadStream } from "node:fs";
import { z } from "zod";
import { requestInspection, waitForInspection } from "@/domain/models";
import { type RowsFile, rowsFileSchema, rowsFoundSchema } from "@/lib/common/contract";
import { fromErrorData } from "@/lib/common/errors";
import { maxRowsBytes } from "@/lib/common/rows";
import { hexOf } from "@/lib/server/digest";
import { defineHandler } from "@/lib/server/handler";
import { keepObject, objectStore, uploadsBucket } from "@/lib/server/storage";
import { timedOut } from "../_shared/inspect";
import { receiveUpload } from "../_shared/upload";

export const dynamic = "force-dynamic";

const waitMs = 60_000;

export const POST = defineHandler({
  name: "rows.create",
  needs: "build",
  summary:
    "Stores rows to calibrate with, CSV or .npy (multipart field `file`, up to 64 MiB), and says how they are understood for a model of so many inputs.",
  query: z.object({
    /** Inputs of the model, for which the columns are judged. */
    inputs: z.coerce.number().int().min(1).max(1_000_000),
  }),
  rawBody: "multipart/form-data",
  response: rowsFileSchema,
  status: 201,
  audit: { changesNothing: true },
  handle: async ({ scope, request, query, signal }): Promise<RowsFile> => {
    const limit = { limitBytes: maxRowsBytes, what: "A file of rows" };
    const { path, name, digest, sizeBytes, close } = await receiveUpload(request, limit);
    try {
      const store = objectStore();
      const bucket = uploadsBucket(scope);
      const key = hexOf(digest);
      const url = `s3://${bucket}/${key}`;
      await store.ensureBucket(bucket);
      const at = { bucket, key };
      await keepObject(store, at, { sizeBytes, digest }, () => createReadStream(path));
      const inspected = { kind: "rows", width: query.inputs, name } as const;
      const { id } = await requestInspection(scope, { url, request: inspected });
      const state = await waitForInspection(scope, id, { timeoutMs: waitMs, signal });
      if (state.problem) throw fromErrorData({ ...state.problem, field: "file" });
      if (state.result === undefined) throw timedOut();
      return { url, name, sizeBytes, digest, ...rowsFoundSchema.parse(state.result) };
    } finally {
      await close();
    }
  },
});
