import { queryOptions } from "@tanstack/react-query";
import { uploadFile } from "@/components/models";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  type NewSearch,
  type RowsFile,
  rowsFileSchema,
  type Search,
  searchSchema,
} from "@/lib/common/contract";

const pollMs = 700;

/** Stores rows for a model of so many inputs; answers what was understood of them. */
export const uploadRows = (
  file: File,
  inputs: number,
  options: Parameters<typeof uploadFile>[1],
): Promise<RowsFile> =>
  uploadFile({ path: `/api/v1/rows?inputs=${inputs}`, file, answer: rowsFileSchema }, options);

/** Queues a search for the fewest bits; its tries are polled. */
export const startSearch = (search: NewSearch): Promise<Search> =>
  postJson("/api/v1/searches", search, searchSchema);

/** Stops a search; its tries stay. */
export const stopSearch = (id: string): Promise<Search> =>
  deleteJson(`/api/v1/searches/${id}`, searchSchema);

/** A search with its tries, polled until it has ended. */
export const searchQuery = (id: string) =>
  queryOptions({
    queryKey: ["searches", id],
    queryFn: ({ signal }) => getJson(`/api/v1/searches/${id}`, searchSchema, { signal }),
    enabled: id !== "",
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : pollMs),
  });

/** Whether no more tries will come. */
export const hasEnded = ({ state }: Search) => state === "succeeded" || state === "failed";
