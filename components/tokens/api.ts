import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  endpointSchema,
  madeTokenSchema,
  type NewToken,
  pageOf,
  tokenSchema,
} from "@/lib/common/contract";

/** The tokens of the project, newest first. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => getJson("/api/v1/tokens", pageOf(tokenSchema), { signal }),
  });

const addressesSchema = pageOf(endpointSchema.pick({ name: true, url: true }));

/** Names and addresses of the endpoints that a token can be made for. */
export const endpointAddressesQuery = () =>
  queryOptions({
    queryKey: ["endpoints", "list", "addresses"],
    queryFn: ({ signal }) => getJson("/api/v1/endpoints?limit=200", addressesSchema, { signal }),
  });

/** Makes a token; nothing but the answer holds it. */
export const makeToken = (body: NewToken) => postJson("/api/v1/tokens", body, madeTokenSchema);

/** Has a token be good for nothing. */
export const revokeToken = (id: string) => deleteJson(`/api/v1/tokens/${id}`, z.unknown());
