import { z } from "zod";
import { getInspection } from "@/domain/models";
import { inspectionSchema, problemSchema } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "inspections.get",
  needs: "read",
  summary: "How far an inspection is, with its result or its problem once it has ended.",
  params: idParams,
  response: z.object({
    id: z.string(),
    url: z.string(),
    state: z.string(),
    result: inspectionSchema.optional(),
    problem: problemSchema.optional(),
  }),
  handle: async ({ scope, params }) => {
    const { result, ...state } = await getInspection(scope, params.id);
    if (result === undefined) return state;
    const inspection = inspectionSchema.safeParse(result);
    // Inspections of rows, and searches, have ids of the same kind.
    if (!inspection.success) throw notFound("inspection", params.id);
    return { ...state, result: inspection.data };
  },
});
