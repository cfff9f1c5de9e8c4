import { getBuild, setLabels } from "@/domain/builds";
import { buildSchema, newLabelsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "builds.setLabels",
  needs: "build",
  summary: "Gives a build these labels in the place of those that it has.",
  params: idParams,
  body: newLabelsSchema,
  response: buildSchema,
  handle: async ({ scope, params: { id }, body: { labels } }) => {
    await setLabels(scope, id, labels);
    return await getBuild(scope, id);
  },
});
