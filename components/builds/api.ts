import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { uploadFile } from "@/components/models";
import { getJson, postJson } from "@/lib/common/api-client";
import {
  attemptOutlineSchema,
  type BuildPriority,
  buildListCountsSchema,
  buildNoticesSchema,
  buildOverviewSchema,
  buildQueueSchema,
  buildSchema,
  buildTimelineSchema,
  buildTrendSchema,
  finalBuildStates,
  importedArtifactSchema,
  logDifferenceSchema,
  logPageSchema,
  logSearchSchema,
  type NewBuildNotice,
  pageOf,
  placementSchema,
  type TrendWindow,
} from "@/lib/common/contract";

const buildPageSchema = pageOf(buildSchema);

const safetyMs = 10_000;
const queueMs = 3000;

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

/** Lines of an attempt from number `from` on. */
export const fetchLogPage = (
  id: string,
  { attempt, from, limit }: { attempt: number; from: number; limit: number },
) =>
  getJson(`/api/v1/builds/${id}/log?attempt=${attempt}&from=${from}&limit=${limit}`, logPageSchema);

/** What the log of an attempt holds, without its lines. */
export const fetchLogOutline = (id: string, attempt: number, signal: AbortSignal) =>
  getJson(`/api/v1/builds/${id}/log/outline?attempt=${attempt}`, attemptOutlineSchema, { signal });

interface LogSought {
  readonly attempt: number;
  readonly text: string;
  readonly isExact: boolean;
  readonly isPattern: boolean;
}

/** Where a text or a regular expression stands in the whole log of an attempt. */
export const logSearchQuery = (id: string, { attempt, text, isExact, isPattern }: LogSought) =>
  queryOptions({
    queryKey: ["logs", id, attempt, "search", text, isExact, isPattern],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        ...{ text, case: isExact ? "exact" : "any" },
        syntax: isPattern ? "regex" : "text",
      });
      return getJson(
        `/api/v1/builds/${id}/log/search?attempt=${attempt}&${query}`,
        logSearchSchema,
        {
          signal,
        },
      );
    },
  });

/** Where the logs of two builds first differ; asked for again while one of them may still write. */
export const logDifferenceQuery = (here: string, there: string, isFinal: boolean) =>
  queryOptions({
    queryKey: ["logs", here, "difference", there, isFinal],
    queryFn: ({ signal }) =>
      getJson(
        `/api/v1/builds/${here}/log/difference?${new URLSearchParams({ with: there })}`,
        logDifferenceSchema,
        { signal },
      ),
    refetchInterval: ({ state }) =>
      state.data && (state.data.final || state.data.first) ? false : safetyMs,
  });

/** When a build did what, and when it will be over. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["builds", id, "timeline"],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/builds/${id}/timeline`, buildTimelineSchema, { signal }),
    // Nobody tells when the queue before a build moves, or a worker comes or goes.
    refetchInterval: ({ state }) => (state.data?.wait ? queueMs : false),
  });

/** Who builds and who waits. Workers that die tell nobody, so it is asked for again and again. */
export const buildQueueQuery = () =>
  queryOptions({
    queryKey: ["builds", "list", "queue"],
    queryFn: ({ signal }) => getJson("/api/v1/builds/queue", buildQueueSchema, { signal }),
    refetchInterval: queueMs,
  });

/** How builds went in the last day or week. */
export const buildTrendQuery = (window: TrendWindow) =>
  queryOptions({
    queryKey: ["builds", "list", "trend", window],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/builds/trend?window=${window}`, buildTrendSchema, { signal }),
  });

/** How a log can be saved. */
export const logFiles = {
  text: { format: "text", compression: "none" },
  plain: { format: "plain", compression: "none" },
  jsonl: { format: "jsonl", compression: "none" },
  gzip: { format: "text", compression: "gzip" },
} as const;

/** Where an attempt's log is as a file, which brings its own name. */
export const logFileUrl = (id: string, attempt: number, file: keyof typeof logFiles) =>
  `/api/v1/builds/${id}/log?${new URLSearchParams({ attempt: String(attempt), ...logFiles[file] })}`;

const acceptedSchema = z.object({ id: z.string().optional() }).loose();

/** Asks for a build's end; it has ended when its state says so. */
export const cancelBuild = (id: string) =>
  postJson(`/api/v1/builds/${id}/cancel`, {}, acceptedSchema);

/** Moves a build that waits forward or back in the queue. */
export const setPriority = (id: string, priority: BuildPriority) =>
  postJson(`/api/v1/builds/${id}/priority`, { priority }, acceptedSchema);

/** Gives a build these labels in the place of those that it has. */
export const setLabels = (id: string, labels: readonly string[]) =>
  postJson(`/api/v1/builds/${id}/labels`, { labels }, acceptedSchema);

/** Receivers that are told of the end of this one build. */
export const buildNoticesQuery = (id: string) =>
  queryOptions({
    queryKey: ["builds", id, "notices"],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/builds/${id}/notices`, buildNoticesSchema, { signal }),
  });

/** Has a receiver told of the end of this one build, or no more. */
export const setBuildNotice = (id: string, notice: NewBuildNotice) =>
  postJson(`/api/v1/builds/${id}/notices`, notice, buildNoticesSchema);

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
