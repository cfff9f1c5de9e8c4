import { listWays } from "@/domain/sign-in";
import { pageOf, signInWaySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../../_shared/person";
import { knownService } from "../../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "me.sign-ins",
  needs: "person",
  summary: "How one can sign in, the oldest first.",
  response: pageOf(signInWaySchema),
  handle: async ({ caller }) => {
    const { userId } = personOf(caller);
    return { items: await listWays(userId, knownService()?.issuer ?? null), nextCursor: null };
  },
});
