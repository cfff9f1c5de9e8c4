import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { artifactSchema, pageOf } from "@/lib/common/contract";

/** The latest artifacts: they name the tools that made them. */
export const artifactsQuery = () =>
  queryOptions({
    queryKey: ["artifacts", "list"],
    queryFn: ({ signal }) =>
      getJson("/api/v1/artifacts?limit=100", pageOf(artifactSchema), { signal }),
  });
