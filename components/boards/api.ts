import { queryOptions } from "@tanstack/react-query";
import { getAll, getJson } from "@/lib/common/api-client";
import {
  boardHistoryItemSchema,
  boardModelSummarySchema,
  boardSchema,
  pageOf,
} from "@/lib/common/contract";

/** How soon a page looks again at what no event tells of: heartbeats, and devices on USB. */
const lookAgainMs = 5000;

/** Every board of the installation with its slots, looked at again and again. */
export const boardsQuery = () =>
  queryOptions({
    queryKey: ["boards", "list"],
    queryFn: ({ signal }) => getAll("/api/v1/boards", boardSchema, { signal }),
    refetchInterval: lookAgainMs,
  });

/** The catalogue of board models; it never changes while the page is open. */
export const boardModelsQuery = () =>
  queryOptions({
    queryKey: ["board-models"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/board-models", pageOf(boardModelSummarySchema), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The last change of a board's state. */
export const boardChangesQuery = (id: string) =>
  queryOptions({
    queryKey: ["boards", id, "history", "last-state"],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/boards/${id}/history?part=states&limit=10`, pageOf(boardHistoryItemSchema), {
        signal,
      }),
  });
