import { endSession } from "@/domain/people";
import { notFound } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "me.end-session",
  needs: "person",
  summary: "Signs out of one place: within a second what it opened ends.",
  params: idParams,
  handle: async ({ caller, params: { id } }) => {
    if (caller.userId === null) throw notFound("session", id);
    await endSession(caller.userId, id);
    return undefined;
  },
});
