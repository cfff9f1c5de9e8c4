import { cancelBuild, getBuild } from "@/domain/builds";
import { buildSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "builds.cancel",
  needs: "build",
  summary: "Asks for a build's end; no process of it is left 20 seconds later.",
  params: idParams,
  response: buildSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    await cancelBuild(scope, params.id);
    return await getBuild(scope, params.id);
  },
});
