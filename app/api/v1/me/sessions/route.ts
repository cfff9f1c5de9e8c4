import { endSessions, listSessions } from "@/domain/people";
import { pageOf, sessionSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../../_shared/person";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "me.sessions",
  needs: "person",
  summary: "Where somebody is signed in, the latest first.",
  response: pageOf(sessionSchema),
  handle: async ({ caller }) => {
    const { userId, sessionId } = personOf(caller);
    return { items: await listSessions(userId, sessionId), nextCursor: null };
  },
});

export const DELETE = defineHandler({
  name: "me.end-sessions",
  needs: "person",
  summary: "Signs out everywhere, here too.",
  handle: async ({ caller }) => {
    await endSessions(personOf(caller).userId);
    return undefined;
  },
});
