import { useQuery } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { statisticsSchema } from "./statistics";

const everyMs = 5000;

/** What the gateway that answers has counted of an endpoint's versions since it loaded them. */
export function useGatewayCounters(name: string) {
  return useQuery({
    queryKey: ["endpoints", name, "counters"],
    queryFn: async ({ signal }) => {
      const path = `/v2/models/${encodeURIComponent(name)}/stats`;
      return (await getJson(path, statisticsSchema, { signal })).model_stats;
    },
    refetchInterval: everyMs,
    retry: false,
  });
}
