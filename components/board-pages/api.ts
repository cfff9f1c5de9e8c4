import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  type Attachment,
  attachmentSchema,
  type BoardAvailability,
  type BoardDetail,
  boardAvailabilitySchema,
  boardDetailSchema,
  boardHistoryItemSchema,
  boardListCountsSchema,
  boardModelDetailSchema,
  boardSchema,
  type DrainMode,
  enrolmentSchema,
  fittingArtifactSchema,
  type NewAdoption,
  type NewAttachment,
  pageOf,
  type SeenDevice,
  seenDeviceSchema,
} from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";

/** How soon a page looks again at what no event tells of: heartbeats, and devices on USB. */
const lookAgainMs = 5000;

/** A page of boards, by the query of the API. */
export const boardsPageQuery = (query: string) =>
  queryOptions({
    queryKey: ["boards", "list", "page", query],
    queryFn: ({ signal }) => getJson(`/api/v1/boards?${query}`, pageOf(boardSchema), { signal }),
    refetchInterval: lookAgainMs,
  });

/** How many boards of a filter are in each state, and what room they have. */
export const boardCountsQuery = (query: string) =>
  queryOptions({
    queryKey: ["boards", "list", "counts", query],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/counts/boards?${query}`, boardListCountsSchema, { signal }),
    refetchInterval: lookAgainMs,
  });

/** How soon a page looks at a test that is under way. */
const taskMs = 1000;

/** Whether something that was asked of a board is not over yet. */
const isBusy = (board: BoardDetail | undefined) =>
  board?.tasks.some(({ endedAt }) => endedAt === null) === true;

/** One board in full, with heartbeats that no event tells of. */
export const boardQuery = (id: string) =>
  queryOptions({
    queryKey: ["boards", id],
    queryFn: ({ signal }) => getJson(`/api/v1/boards/${id}`, boardDetailSchema, { signal }),
    refetchInterval: ({ state: { data } }) => (isBusy(data) ? taskMs : lookAgainMs),
    retry: (failures, error) => failures < 2 && !(isAppError(error) && error.code === "not_found"),
  });

/** A page of what happened to a board. */
export const boardHistoryQuery = (
  id: string,
  { part, cursor }: { readonly part: string; readonly cursor: string },
) =>
  queryOptions({
    queryKey: ["boards", id, "history", part, cursor],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        part,
        limit: "50",
        ...(cursor === "" ? {} : { cursor }),
      });
      return getJson(`/api/v1/boards/${id}/history?${query}`, pageOf(boardHistoryItemSchema), {
        signal,
      });
    },
  });

/** How soon an availability is read again: it goes on by itself. */
const availabilityMs = 30_000;

/** In which states a board was over a time. */
export const boardAvailabilityQuery = (id: string, range: BoardAvailability["range"]) =>
  queryOptions({
    queryKey: ["boards", id, "availability", range],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/boards/${id}/availability?range=${range}`, boardAvailabilitySchema, {
        signal,
      }),
    refetchInterval: availabilityMs,
  });

/** What a board can load as it is. */
export const fittingQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["boards", id, "artifacts"],
    queryFn: ({ signal, pageParam }) =>
      getJson(
        `/api/v1/boards/${id}/artifacts?limit=20${pageParam === "" ? "" : `&cursor=${pageParam}`}`,
        pageOf(fittingArtifactSchema),
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Where a board model is read whole. */
export const boardModelUrl = (id: string) => `/api/v1/board-models/${encodeURIComponent(id)}`;

/** A board model as its file says it; it never changes while the page is open. */
export const boardModelQuery = (id: string) =>
  queryOptions({
    queryKey: ["board-models", id],
    queryFn: ({ signal }) => getJson(boardModelUrl(id), boardModelDetailSchema, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Drains a board: what it holds moves, or stays. */
export const drainBoard = (id: string, loaded: DrainMode): Promise<BoardDetail> =>
  postJson(`/api/v1/boards/${id}/drain`, { loaded }, boardDetailSchema);

/** What can be asked of a board with a press. */
export type PlainAction = "resume" | "reload" | "blink" | "self-test";

/** Asks something of a board. */
export const askBoard = (id: string, action: PlainAction): Promise<BoardDetail> =>
  postJson(`/api/v1/boards/${id}/${action}`, {}, boardDetailSchema);

/** Makes a code with which one board server enrols, once. */
export const makeEnrolment = () => postJson("/api/v1/boards/enrolments", {}, enrolmentSchema);

/** Devices on USB; plugging one in shows without a reload. */
export const sightingsQuery = () =>
  queryOptions({
    queryKey: ["sightings"],
    queryFn: ({ signal }) => getJson("/api/v1/sightings", pageOf(seenDeviceSchema), { signal }),
    refetchInterval: lookAgainMs,
  });

/** Makes a board of a device on USB. */
export const adopt = (adoption: NewAdoption): Promise<SeenDevice> =>
  postJson("/api/v1/sightings/adoptions", adoption, seenDeviceSchema);

/** Gives up the board that a device was adopted as. */
export const release = ({ serverId, key }: SeenDevice): Promise<object> =>
  deleteJson(
    `/api/v1/sightings/adoptions?${new URLSearchParams({ serverId, sighting: key })}`,
    z.object({}),
  );

/** How soon a page looks at a trial that is under way. */
const trialMs = 1000;

/** Boards at addresses; a trial is seen as it goes on. */
export const attachmentsQuery = () =>
  queryOptions({
    queryKey: ["attachments"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/boards/attachments", pageOf(attachmentSchema), { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === "testing") ? trialMs : lookAgainMs,
  });

/** Attaches the board at an address. */
export const attach = (attachment: NewAttachment): Promise<Attachment> =>
  postJson("/api/v1/boards/attachments", attachment, attachmentSchema);

/** Gives up the board at an address. */
export const detach = (id: string): Promise<object> =>
  deleteJson(`/api/v1/boards/attachments/${id}`, z.object({}));
