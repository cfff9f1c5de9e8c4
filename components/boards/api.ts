import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { boardModelSummarySchema, boardSchema, pageOf } from "@/lib/common/contract";

export const boardsQuery = () =>
  queryOptions({
    queryKey: ["boards", "list"],
    queryFn: ({ signal }) => getJson("/api/v1/boards", pageOf(boardSchema), { signal }),
  });

export const boardModelsQuery = () =>
  queryOptions({
    queryKey: ["board-models"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/board-models", pageOf(boardModelSummarySchema), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
