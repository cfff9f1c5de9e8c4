import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { getJson, postJson } from "@/lib/common/api-client";
import { type ActivityItem, activitySchema } from "@/lib/common/contract";

const everyMs = 5000;

/** What was done lately; nobody tells of it, so it is looked at again and again. */
export const activityQuery = () =>
  queryOptions({
    queryKey: ["activity"],
    queryFn: ({ signal }) => getJson("/api/v1/activity", activitySchema, { signal }),
    refetchInterval: everyMs,
  });

/** Takes back what was done. */
export const undo = ({ path, body }: NonNullable<ActivityItem["undo"]>) =>
  postJson(`/api/v1${path}`, body, z.unknown());
