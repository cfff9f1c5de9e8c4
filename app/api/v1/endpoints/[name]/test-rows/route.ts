import { getModelSource } from "@/domain/endpoints";
import { testRowsQuerySchema, testRowsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { askWorker } from "../../../_shared/ask-worker";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.testRows",
  needs: "read",
  summary:
    "Rows that the model is tested with, `test.csv` beside it, else those that it was calibrated with, each with its expected class.",
  params: nameParams,
  query: testRowsQuerySchema,
  response: testRowsSchema,
  handle: async ({ scope, params, query, signal }) => {
    const { url, width, calibration } = await getModelSource(scope, params.name);
    const request = {
      kind: "test-rows" as const,
      width,
      ...query,
      ...(calibration ? { calibration } : {}),
    };
    return testRowsSchema.parse(await askWorker(scope, { url, request }, signal));
  },
});
