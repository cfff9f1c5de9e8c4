import { getBuild, setPriority } from "@/domain/builds";
import { buildSchema, newPrioritySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "builds.setPriority",
  needs: "build",
  summary: "Moves a build that waits for a worker forward or back in the queue.",
  params: idParams,
  body: newPrioritySchema,
  response: buildSchema,
  handle: async ({ scope, params: { id }, body: { priority } }) => {
    await setPriority(scope, id, priority);
    return await getBuild(scope, id);
  },
});
