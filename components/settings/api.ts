import { queryOptions } from "@tanstack/react-query";
import { getJson, postJson } from "@/lib/common/api-client";
import {
  aboutSchema,
  type ConnectionId,
  connectionsSchema,
  connectionTestSchema,
  storageUseSchema,
} from "@/lib/common/contract";

/** What the portal reaches, and from where models may come. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: ["settings", "connections"],
    queryFn: ({ signal }) => getJson("/api/v1/settings/connections", connectionsSchema, { signal }),
  });

/** Asks a connection for something real. */
export const testConnection = (id: ConnectionId) =>
  postJson(`/api/v1/settings/connections/${id}/test`, {}, connectionTestSchema);

/** What takes room. */
export const storageQuery = () =>
  queryOptions({
    queryKey: ["settings", "storage"],
    queryFn: ({ signal }) => getJson("/api/v1/settings/storage", storageUseSchema, { signal }),
  });

/** Which version this is. */
export const aboutQuery = () =>
  queryOptions({
    queryKey: ["settings", "about"],
    queryFn: ({ signal }) => getJson("/api/v1/settings/about", aboutSchema, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
