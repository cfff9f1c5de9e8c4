import { getBuild } from "@/domain/builds";
import { buildSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.get",
  needs: "read",
  summary: "One build with its stages and, once it has ended, its report.",
  params: idParams,
  response: buildSchema,
  handle: ({ scope, params }) => getBuild(scope, params.id),
});
