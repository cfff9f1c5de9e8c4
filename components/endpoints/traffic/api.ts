import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  endpointLogSchema,
  payloadsKeptSchema,
  requestListSchema,
  trafficSchema,
} from "@/lib/common/contract";
import { loadSummary } from "./load-summary";

const everyMs = 10_000;
const minuteMs = 60_000;

export const pathOf = (name: string) => `/api/v1/endpoints/${encodeURIComponent(name)}`;

/** What an endpoint was asked, by the API's query; read again while the stretch of time ends now. */
export const trafficQuery = (name: string, query: string) =>
  queryOptions({
    queryKey: ["endpoints", name, "traffic", query],
    queryFn: ({ signal }) => getJson(`${pathOf(name)}/traffic?${query}`, trafficSchema, { signal }),
    refetchInterval: query.includes("to=") ? false : everyMs,
    placeholderData: keepPreviousData,
    retry: 1,
  });

/** What an endpoint was asked in the last half hour; those of a whole list are asked for together. */
export const summaryQuery = (name: string) =>
  queryOptions({
    queryKey: ["traffic", name],
    queryFn: () => loadSummary(name),
    refetchInterval: minuteMs,
    staleTime: minuteMs / 2,
  });

/** The last requests of an endpoint. */
export const requestsQuery = (name: string, query: string) =>
  queryOptions({
    queryKey: ["endpoints", name, "requests", query],
    queryFn: ({ signal }) =>
      getJson(`${pathOf(name)}/requests?${query}`, requestListSchema, { signal }),
    refetchInterval: everyMs / 2,
    placeholderData: keepPreviousData,
  });

/** A page of what happened to an endpoint. */
export const endpointLogQuery = (name: string, query: string) =>
  queryOptions({
    queryKey: ["endpoints", name, "log", query],
    queryFn: ({ signal }) => getJson(`${pathOf(name)}/log?${query}`, endpointLogSchema, { signal }),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });

/** Has bodies of an endpoint's requests kept, or no more. */
export const setPayloadsKept = (name: string, kept: boolean) =>
  kept
    ? postJson(`${pathOf(name)}/payloads`, {}, payloadsKeptSchema)
    : deleteJson(`${pathOf(name)}/payloads`, payloadsKeptSchema);
