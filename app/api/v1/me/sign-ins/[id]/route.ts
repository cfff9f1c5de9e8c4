import { removeWay } from "@/domain/sign-in";
import { notFound } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { personOf } from "../../../_shared/person";
import { knownService } from "../../../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "me.sign-ins.remove",
  needs: "person",
  summary: "Takes a way to sign in away, but for the last: one is signed out everywhere else.",
  params: idParams,
  handle: async ({ caller, params: { id } }) => {
    if (caller.userId === null) throw notFound("sign-in", id);
    await removeWay(personOf(caller), id, knownService()?.issuer ?? null);
    return undefined;
  },
});
