import { z } from "zod";
import { listBuildsOfModel } from "@/domain/builds";
import { buildSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "models.builds",
  needs: "read",
  summary: "The newest hundred builds of one version of a model.",
  params: idParams,
  response: z.object({ items: z.array(buildSchema) }),
  handle: async ({ scope, params }) => ({ items: await listBuildsOfModel(scope, params.id) }),
});
