import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { engineSchema, pageOf } from "@/lib/common/contract";

/** The engines with their options; they never change while the page is open. */
export const enginesQuery = () =>
  queryOptions({
    queryKey: ["engines"],
    queryFn: ({ signal }) => getJson("/api/v1/engines", pageOf(engineSchema), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
