import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { engineSchema, pageOf } from "@/lib/common/contract";

/** How often it is looked again whether build workers have the tools: people install them while the form is open. */
const lookAgainMs = 15_000;

/** The engines with their options, which never change while the page is open, and the tools that build workers lack. */
export const enginesQuery = () =>
  queryOptions({
    queryKey: ["engines"],
    queryFn: ({ signal }) => getJson("/api/v1/engines", pageOf(engineSchema), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ lacking }) => lacking.length > 0) ? lookAgainMs : false,
  });
