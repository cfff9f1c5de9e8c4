import { useQuery } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { type RecentTraffic, recentTraffic } from "./points";
import { type ModelStatistics, statisticsSchema } from "./statistics";

const everyMs = 2000;

/** The traffic of an endpoint, read again and again. */
export interface Traffic {
  readonly versions: readonly ModelStatistics[];
  readonly recent: RecentTraffic;
  readonly error: Error | null;
  readonly pending: boolean;
  readonly retry: () => void;
}

/** What the gateway counted of an endpoint: in all, and in the last five minutes, whoever looked or not. */
export function useTraffic(name: string): Traffic {
  const query = useQuery({
    queryKey: ["endpoints", name, "traffic"],
    queryFn: async ({ signal }) => {
      const path = `/v2/models/${encodeURIComponent(name)}/stats?recent=true`;
      const { model_stats } = await getJson(path, statisticsSchema, { signal });
      return { versions: model_stats, recent: recentTraffic(model_stats) };
    },
    refetchInterval: everyMs,
    retry: false,
  });
  return {
    versions: query.data?.versions ?? [],
    recent: query.data?.recent ?? recentTraffic([]),
    error: query.error,
    pending: query.isPending,
    retry: () => void query.refetch(),
  };
}
