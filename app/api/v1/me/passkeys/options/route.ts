import { newPasskeyOptions } from "@/domain/sign-in";
import { passkeyOptionsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { requireParty } from "../../../_shared/passkeys";
import { personOf } from "../../../_shared/person";
import { beginIn } from "../../../_shared/sign-in-attempt";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.passkeys.options",
  needs: "person",
  summary: "Begins to add a passkey: what the browser makes it by, within ten minutes.",
  response: passkeyOptionsSchema,
  rawResponse: "application/json",
  handle: async ({ caller }) => {
    const { userId, sessionId } = personOf(caller);
    const party = requireParty();
    return await beginIn("new-passkey", { sessionId }, (partOf) =>
      newPasskeyOptions(userId, party, partOf("challenge")),
    );
  },
});
