import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { uploadFile } from "@/components/models";
import { getJson, postJson } from "@/lib/common/api-client";
import {
  buildListCountsSchema,
  buildOverviewSchema,
  buildSchema,
  finalBuildStates,
  importedArtifactSchema,
  logPageSchema,
  pageOf,
  placementSchema,
} from "@/lib/common/contract";

const buildPageSchema = pageOf(buildSchema);

const safetyMs = 10_000;

/** One build, asked for again until it has ended. */
export const buildQuery = (id: string) =>
  queryOptions({
    queryKey: ["builds", id],
    queryFn: ({ signal }) => getJson(`/api/v1/builds/${id}`, buildSchema, { signal }),
    // The stream tells of changes; this is for one that was told before the stream was open.
    refetchInterval: ({ state }) =>
      state.data && finalBuildStates.has(state.data.state) ? false : safetyMs,
  });

/** Where the cells of an artifact lie. It never changes. */
export const placementQuery = (digest: string) =>
  queryOptions({
    queryKey: ["artifacts", digest, "placement"],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/artifacts/${digest}/files/placement`, placementSchema, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** A page of builds, by the query of the API; the newest if it says nothing. */
export const buildsQuery = (query = "") =>
  queryOptions({
    queryKey: ["builds", "list", "page", query],
    queryFn: ({ signal }) => getJson(`/api/v1/builds?${query}`, buildPageSchema, { signal }),
  });

/** How many builds of a filter are in each state. */
export const buildCountsQuery = (query: string) =>
  queryOptions({
    queryKey: ["builds", "list", "counts", query],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/counts/builds?${query}`, buildListCountsSchema, { signal }),
  });

/** Lines `from`… of an attempt, as many as the server gives at once. */
export const fetchLogPage = (id: string, attempt: number, from: number, signal: AbortSignal) =>
  getJson(`/api/v1/builds/${id}/log?attempt=${attempt}&from=${from}&limit=2000`, logPageSchema, {
    signal,
  });

/** Where an attempt's log is as plain text. */
export const rawLogUrl = (id: string, attempt: number) =>
  `/api/v1/builds/${id}/log?attempt=${attempt}&format=text`;

const acceptedSchema = z.object({ id: z.string().optional() }).loose();

/** Asks for a build's end; it has ended when its state says so. */
export const cancelBuild = (id: string) =>
  postJson(`/api/v1/builds/${id}/cancel`, {}, acceptedSchema);

/** Queues the same request again; answers the new build. */
export const retryBuild = (id: string) =>
  postJson(`/api/v1/builds/${id}/retry`, {}, z.object({ id: z.string() }));

/** Sends the archive of an artifact; answers once it is judged and stored. */
export const importArtifact = (file: File) =>
  uploadFile(
    { path: "/api/v1/artifacts", file, answer: importedArtifactSchema },
    { onProgress: () => {}, signal: new AbortController().signal },
  );

export const archiveUrl = (digest: string) => `/api/v1/artifacts/${digest}/archive`;

/** The builds of the last 24 hours as the server counts them: all, however many a list would show. */
export const buildOverviewQuery = () =>
  queryOptions({
    queryKey: ["builds", "list", "overview"],
    queryFn: ({ signal }) => getJson("/api/v1/builds/overview", buildOverviewSchema, { signal }),
  });

/** How many builds are under way; shares the overview's cache. */
export const runningBuildsQuery = () =>
  queryOptions({ ...buildOverviewQuery(), select: ({ underWay }) => underWay });
