import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import { endpointLinkSchema, madeEndpointLinkSchema, pageOf } from "@/lib/common/contract";

const addressOf = (endpoint: string) => `/api/v1/endpoints/${encodeURIComponent(endpoint)}/links`;

/** Links to an endpoint, newest first. */
export const linksQuery = (endpoint: string) =>
  queryOptions({
    queryKey: ["endpoints", endpoint, "links"],
    queryFn: ({ signal }) => getJson(addressOf(endpoint), pageOf(endpointLinkSchema), { signal }),
  });

/** @throws {AppError} `QUOTA_EXCEEDED`, `VALIDATION` */
export const makeLink = (
  endpoint: string,
  body: { name: string; expiresAt: string; requestsPerSecond: number },
) => postJson(addressOf(endpoint), body, madeEndpointLinkSchema);

/** @throws {AppError} `NOT_FOUND` */
export const revokeLink = (endpoint: string, id: string) =>
  deleteJson(`${addressOf(endpoint)}/${id}`, z.unknown());
