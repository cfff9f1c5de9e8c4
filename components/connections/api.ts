import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, patchJson, postJson } from "@/lib/common/api-client";
import { projectConnectionSchema, projectConnectionsSchema } from "@/lib/common/contract";

const path = "/api/v1/connections";

/** Connections of the project, and what those of the installation open. */
export const projectConnectionsQuery = () =>
  queryOptions({
    queryKey: ["connections"],
    queryFn: ({ signal }) => getJson(path, projectConnectionsSchema, { signal }),
  });

/** Makes a connection, which is tested first. */
export const addConnection = (body: object) => postJson(path, body, projectConnectionSchema);

/** Changes a connection; what is left out stays. */
export const changeConnection = (id: string, body: object) =>
  patchJson(`${path}/${id}`, body, projectConnectionSchema);

/** Tries a connection as it is. */
export const tryConnection = (id: string) =>
  postJson(`${path}/${id}/test`, {}, projectConnectionSchema);

/** Deletes a connection with its secret. */
export const removeConnection = (id: string) => deleteJson(`${path}/${id}`, z.unknown());
