import { getBuildQueue } from "@/domain/builds";
import { buildQueueSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.queue",
  needs: "read",
  summary:
    "The build workers that are alive, and which builds wait for them, at which place and until when.",
  response: buildQueueSchema,
  handle: ({ scope }) => getBuildQueue(scope),
});
