import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getJson } from "@/lib/common/api-client";
import { type Point, pointBetween, type Sample, sampleOf } from "./points";
import { type ModelStatistics, statisticsSchema } from "./statistics";

const everyMs = 2000;
/** Five minutes. */
const kept = 150;

export interface Traffic {
  readonly versions: readonly ModelStatistics[];
  readonly points: readonly Point[];
  readonly error: Error | null;
  readonly pending: boolean;
  readonly retry: () => void;
}

/** Asks the gateway for an endpoint's counts again and again, and makes a series of what happened in between. */
export function useTraffic(name: string): Traffic {
  const query = useQuery({
    queryKey: ["endpoints", name, "traffic"],
    queryFn: async ({ signal }) => {
      const path = `/v2/models/${encodeURIComponent(name)}/stats`;
      const { model_stats } = await getJson(path, statisticsSchema, { signal });
      return { versions: model_stats, atMs: performance.now() };
    },
    refetchInterval: everyMs,
    retry: false,
  });
  const [series, setSeries] = useState<{ last: Sample | null; points: readonly Point[] }>({
    last: null,
    points: [],
  });
  const { data } = query;
  useEffect(() => {
    if (!data) return;
    const sample = sampleOf(data.versions, data.atMs);
    setSeries(({ last, points }) => {
      const point = last && pointBetween(last, sample);
      return { last: sample, points: point ? [...points, point].slice(-kept) : points };
    });
  }, [data]);
  return {
    versions: data?.versions ?? [],
    points: series.points,
    error: query.error,
    pending: query.isPending,
    retry: () => void query.refetch(),
  };
}
