import { z } from "zod";
import { checkModelUrl } from "@/domain/models";
import {
  inspectionPendingSchema,
  inspectionSchema,
  inspectRequestSchema,
} from "@/lib/common/contract";
import { defineHandler, Reply } from "@/lib/server/handler";
import { inspect, resultOf } from "../../_shared/inspect";
import { modelSources } from "../../_shared/model-sources";

export const dynamic = "force-dynamic";

const waitMs = 10_000;

export const POST = defineHandler({
  name: "models.inspect",
  needs: "build",
  summary:
    "Inspects a model without storing it; 202 with an address to poll when that takes over 10 s.",
  body: inspectRequestSchema,
  response: z.union([inspectionSchema.extend({ url: z.string() }), inspectionPendingSchema]),
  audit: { changesNothing: true },
  handle: async ({ scope, body: { url }, signal }) => {
    checkModelUrl(url, { projectId: scope, sources: await modelSources(scope), field: "url" });
    const state = await inspect(scope, url, { timeoutMs: waitMs, signal });
    const result = resultOf(state);
    if (result) return { ...result, url };
    const location = `/api/v1/models/inspections/${state.id}`;
    const pending = inspectionPendingSchema.parse({
      id: state.id,
      state: state.state,
      url: location,
    });
    return new Reply(202, pending, { location, "retry-after": "1" });
  },
});
