import { getBuildTimeline } from "@/domain/builds";
import { buildTimelineSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.timeline",
  needs: "read",
  summary:
    "When a build waited and what each attempt and each clock did when, with what is usual for its engine and board, and its place in the queue.",
  params: idParams,
  response: buildTimelineSchema,
  handle: ({ scope, params: { id } }) => getBuildTimeline(scope, id),
});
