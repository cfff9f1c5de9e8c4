import { getBuildOverview } from "@/domain/builds";
import { buildOverviewSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.overview",
  needs: "read",
  summary: "How the builds of the last 24 hours went: all of them counted, hour by hour.",
  response: buildOverviewSchema,
  handle: ({ scope }) => getBuildOverview(scope),
});
