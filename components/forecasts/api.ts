import { queryOptions } from "@tanstack/react-query";
import { getJson, postJson } from "@/lib/common/api-client";
import {
  type BuiltQuery,
  builtBoardsSchema,
  type EqualQuery,
  equalBuildsSchema,
  forecastDeviationSchema,
  pageOf,
} from "@/lib/common/contract";

const staleMs = 60_000;

/** How far forecasts were off here, over the builds that ended. */
export const forecastDeviationsQuery = () =>
  queryOptions({
    queryKey: ["forecasts"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/forecasts", pageOf(forecastDeviationSchema), { signal }),
    staleTime: staleMs,
  });

/** What the builds of the very same request came to here. Old as soon as a build ends. */
export const equalBuildsQuery = (query: EqualQuery) =>
  queryOptions({
    queryKey: ["builds", "list", "equal", query],
    queryFn: ({ signal }) =>
      postJson("/api/v1/forecasts/equal", query, equalBuildsSchema, { signal }),
    staleTime: staleMs,
  });

/** The boards for which nothing would have to be built. Old as soon as a build ends. */
export const builtBoardsQuery = (query: BuiltQuery) =>
  queryOptions({
    queryKey: ["builds", "list", "built", query],
    queryFn: ({ signal }) =>
      postJson("/api/v1/forecasts/built", query, builtBoardsSchema, { signal }),
    staleTime: staleMs,
  });
