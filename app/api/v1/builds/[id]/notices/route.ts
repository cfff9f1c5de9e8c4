import { listBuildNotices, setBuildNotice } from "@/domain/notifications";
import { buildNoticesSchema, newBuildNoticeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.notices",
  needs: "read",
  summary: "Which receivers are told of the end of this one build, whatever else they are told of.",
  params: idParams,
  response: buildNoticesSchema,
  handle: async ({ scope, params: { id } }) => ({ receivers: await listBuildNotices(scope, id) }),
});

export const POST = defineHandler({
  name: "builds.setNotice",
  needs: "build",
  summary: "Has a receiver told of the end of this one build, or no more.",
  params: idParams,
  body: newBuildNoticeSchema,
  response: buildNoticesSchema,
  handle: async ({ scope, params: { id }, body }) => {
    await setBuildNotice(scope, id, body);
    return { receivers: await listBuildNotices(scope, id) };
  },
});
