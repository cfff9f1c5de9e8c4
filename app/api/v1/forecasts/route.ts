import { listForecastDeviations } from "@/domain/forecasts";
import { forecastDeviationSchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "forecasts.list",
  needs: "read",
  summary:
    "How far forecasts were off, over the finished builds of this installation: by family, architecture and figure.",
  response: pageOf(forecastDeviationSchema),
  handle: async () => ({ items: await listForecastDeviations(), nextCursor: null }),
});
