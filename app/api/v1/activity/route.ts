import { listActivity } from "@/domain/activity";
import { activitySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "activity.list",
  needs: "read",
  summary:
    "What was done in the last 30 days, newest first, with the call that takes it back while that is possible.",
  response: activitySchema,
  handle: ({ scope }) => listActivity(scope),
});
