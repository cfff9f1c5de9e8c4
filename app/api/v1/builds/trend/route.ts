import { getBuildTrend } from "@/domain/builds";
import { buildTrendSchema, trendQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.trend",
  needs: "read",
  summary:
    "Builds of the last 24 hours by hour, or of 7 days by day: how many went how, how long they waited and ran; and the last ten of each model.",
  query: trendQuerySchema,
  response: buildTrendSchema,
  handle: ({ scope, query: { window } }) => getBuildTrend(scope, window),
});
