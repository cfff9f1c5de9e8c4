import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { forecastErrorSchema, pageOf } from "@/lib/common/contract";

const staleMs = 60_000;

/** How far forecasts were off here, over the builds that ended. */
export const forecastErrorsQuery = () =>
  queryOptions({
    queryKey: ["forecasts"],
    queryFn: ({ signal }) => getJson("/api/v1/forecasts", pageOf(forecastErrorSchema), { signal }),
    staleTime: staleMs,
  });
