import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson, postText } from "@/lib/common/api-client";
import {
  accessChangeSchema,
  deployedSchema,
  type EndpointAccess,
  type EndpointState,
  endpointListCountsSchema,
  endpointOverviewSchema,
  endpointSchema,
  type FloatAnswer,
  floatAnswerSchema,
  type NewEndpoint,
  type NewRevision,
  pageOf,
  type Rollback,
  revisionSchema,
  type TestRows,
  takenNamesSchema,
  testRowsSchema,
} from "@/lib/common/contract";

const settled: ReadonlySet<EndpointState> = new Set(["ready", "failed", "asleep", "paused"]);
const safetyMs = 10_000;

const pathOf = (name: string) => `/api/v1/endpoints/${encodeURIComponent(name)}`;

/** One endpoint, asked for again while it changes. */
export const endpointQuery = (name: string) =>
  queryOptions({
    queryKey: ["endpoints", name],
    queryFn: ({ signal }) => getJson(pathOf(name), endpointSchema, { signal }),
    // The stream tells of changes; this is for one that was told before the stream was open.
    refetchInterval: ({ state }) =>
      state.data && settled.has(state.data.state) ? false : safetyMs,
  });

/** The few endpoints that the first page shows, and how many there are. */
export const endpointOverviewQuery = () =>
  queryOptions({
    queryKey: ["endpoints", "list", "overview"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/overviews/endpoints", endpointOverviewSchema, { signal }),
  });

/** Names of endpoints that begin with a text, the text itself among them if it is taken. */
export const takenNamesQuery = (start: string) =>
  queryOptions({
    queryKey: ["endpoints", "list", "names", start],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/names/endpoints?${new URLSearchParams({ start })}`, takenNamesSchema, {
        signal,
      }),
    enabled: start !== "" && start.length <= 63,
  });

const endpointPageSchema = pageOf(endpointSchema);

/** A page of endpoints, by the query of the API. */
export const endpointsPageQuery = (query: string) =>
  queryOptions({
    queryKey: ["endpoints", "list", "page", query],
    queryFn: ({ signal }) => getJson(`/api/v1/endpoints?${query}`, endpointPageSchema, { signal }),
  });

/** How many endpoints of a filter are in each state. */
export const endpointCountsQuery = (query: string) =>
  queryOptions({
    queryKey: ["endpoints", "list", "counts", query],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/counts/endpoints?${query}`, endpointListCountsSchema, { signal }),
  });

/** Revisions of an endpoint, newest first. */
export const revisionsQuery = (name: string) =>
  queryOptions({
    queryKey: ["endpoints", name, "revisions"],
    queryFn: ({ signal }) =>
      getJson(`${pathOf(name)}/revisions`, pageOf(revisionSchema), { signal }),
  });

/** Deploys; the key makes a second press of the button, or a retry after a lost answer, the same deploy. */
export const deploy = (body: NewEndpoint, idempotencyKey: string) =>
  postJson("/api/v1/endpoints", body, deployedSchema, {
    headers: { "idempotency-key": idempotencyKey },
  });

/** Adds a revision to an endpoint; the key does for it what it does for a deploy. */
export const addRevision = (name: string, body: NewRevision, idempotencyKey: string) =>
  postJson(`${pathOf(name)}/revisions`, body, deployedSchema, {
    headers: { "idempotency-key": idempotencyKey },
  });

/** Keeps callers from an endpoint, or lets them to it again. */
export const setPaused = (name: string, paused: boolean) =>
  postJson(`${pathOf(name)}/${paused ? "pause" : "resume"}`, {}, endpointSchema);

/** Has another revision serve that is built already. */
/** Says who may ask an endpoint. */
export const setAccess = (name: string, access: EndpointAccess) =>
  postJson(`${pathOf(name)}/access`, { access }, accessChangeSchema);

export const rollBack = (name: string, body: Rollback) =>
  postJson(`${pathOf(name)}/rollback`, body, endpointSchema);

/** Ends an endpoint; its slots are freed a moment later. */
export const deleteEndpoint = (name: string) => deleteJson(pathOf(name), z.unknown());

/** Rows that the model is tested with, from `first` on, counted from 1. */
export const testRowsQuery = (name: string, first: number, count: number) =>
  queryOptions({
    queryKey: ["endpoints", name, "test-rows", first, count],
    queryFn: ({ signal }): Promise<TestRows> =>
      getJson(`${pathOf(name)}/test-rows?first=${first}&count=${count}`, testRowsSchema, {
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** What the model itself answers to a V2 request; the text goes as it is. */
export const askFloat = (name: string, text: string): Promise<FloatAnswer> =>
  postText(`${pathOf(name)}/float`, text, floatAnswerSchema);

const recordedSchema = z.object({
  id: z.string(),
  at: z.string(),
  revision: z.number().nullish(),
  protocol: z.string().nullish(),
  /** The request itself, where the server kept it. */
  body: z.string().nullish(),
});

/** A request that the server recorded. @throws {AppError} `NOT_FOUND` where it kept none. */
export const getRecordedRequest = (name: string, id: string) =>
  getJson(`${pathOf(name)}/requests/${encodeURIComponent(id)}`, recordedSchema);
