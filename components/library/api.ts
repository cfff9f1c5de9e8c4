import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  buildSchema,
  deletedSchema,
  listedModelSchema,
  modelDetailSchema,
  modelListCountsSchema,
  pageOf,
  sourceLookSchema,
} from "@/lib/common/contract";

const modelPageSchema = pageOf(listedModelSchema);
const buildsSchema = z.object({ items: z.array(buildSchema) });

/** A page of models, by the query of the API; the newest if it says nothing. */
export const modelsQuery = (query = "") =>
  queryOptions({
    queryKey: ["models", "list", "page", query],
    queryFn: ({ signal }) => getJson(`/api/v1/models?${query}`, modelPageSchema, { signal }),
  });

/** How many models of a filter are in each state. */
export const modelCountsQuery = (query: string) =>
  queryOptions({
    queryKey: ["models", "list", "counts", query],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/counts/models?${query}`, modelListCountsSchema, { signal }),
  });

/** One version of a model with all that is known of it. */
export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: ["models", id, "detail"],
    queryFn: ({ signal }) => getJson(`/api/v1/models/${id}`, modelDetailSchema, { signal }),
  });

/** The newest builds of a version. */
export const buildsOfModelQuery = (id: string) =>
  queryOptions({
    queryKey: ["models", id, "builds"],
    queryFn: ({ signal }) => getJson(`/api/v1/models/${id}/builds`, buildsSchema, { signal }),
  });

/** Has a worker read the source again. */
export const lookAgain = (id: string) =>
  postJson(`/api/v1/models/${id}/look`, {}, sourceLookSchema);

/** Keeps a model by its address. */
export const addSource = (url: string) =>
  postJson("/api/v1/models/sources", { url }, sourceLookSchema);

/** Puts a model out of lists, or back. */
export const archiveModel = (id: string, archived: boolean) =>
  postJson(`/api/v1/models/${id}/archive`, { archived }, modelDetailSchema);

/** Gives this version a name, which another version may lose by it. */
export const setAlias = (id: string, name: string) =>
  postJson(`/api/v1/models/${id}/aliases`, { name }, modelDetailSchema);

/** Takes a name from this version. */
export const removeAlias = (id: string, name: string) =>
  deleteJson(`/api/v1/models/${id}/aliases/${name}`, modelDetailSchema);

/** Deletes one version. @throws {AppError} `MODEL_IN_USE` */
export const deleteModel = (id: string) => deleteJson(`/api/v1/models/${id}`, deletedSchema);

export const modelFileUrl = (id: string) => `/api/v1/models/${id}/file`;
