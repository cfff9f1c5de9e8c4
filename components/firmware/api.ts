import { queryOptions } from "@tanstack/react-query";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  artifactDetailSchema,
  artifactListCountsSchema,
  deletedSchema,
  listedArtifactSchema,
  pageOf,
} from "@/lib/common/contract";

const artifactPageSchema = pageOf(listedArtifactSchema);
const pathOf = (digest: string) => `/api/v1/artifacts/${encodeURIComponent(digest)}`;

/** A page of artifacts, by the query of the API; the newest if it says nothing. */
export const artifactsQuery = (query = "") =>
  queryOptions({
    queryKey: ["artifacts", "list", "page", query],
    queryFn: ({ signal }) => getJson(`/api/v1/artifacts?${query}`, artifactPageSchema, { signal }),
  });

/** How many artifacts of a filter stand in each way. */
export const artifactCountsQuery = (query: string) =>
  queryOptions({
    queryKey: ["artifacts", "list", "counts", query],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/counts/artifacts?${query}`, artifactListCountsSchema, { signal }),
  });

/** One artifact with all that is known of it. */
export const artifactQuery = (digest: string) =>
  queryOptions({
    queryKey: ["artifacts", digest, "detail"],
    queryFn: ({ signal }) => getJson(pathOf(digest), artifactDetailSchema, { signal }),
  });

/** Deletes an artifact that nothing needs. @throws {AppError} `ARTIFACT_IN_USE`, `ARTIFACT_PINNED` */
export const deleteArtifact = (digest: string) => deleteJson(pathOf(digest), deletedSchema);

/** Keeps an artifact from being deleted, or lets it go. */
export const pinArtifact = (digest: string, pinned: boolean) =>
  postJson(`${pathOf(digest)}/pin`, { pinned }, artifactDetailSchema);

export const archiveUrl = (digest: string) => `${pathOf(digest)}/archive`;

export const fileUrl = (digest: string, role: string) => `${pathOf(digest)}/files/${role}`;
