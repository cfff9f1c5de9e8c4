import { listMembers } from "@/domain/people";
import { memberSchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "members.list",
  needs: "person",
  summary: "Everybody of the project, by name.",
  response: pageOf(memberSchema),
  handle: async ({ scope, caller }) => ({
    items: await listMembers(scope, caller.userId),
    nextCursor: null,
  }),
});
