import { newPasskeyOptions } from "@/domain/sign-in";
import { passkeyOptionsSchema, signInProofSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { requireParty } from "../../../_shared/passkeys";
import { personOf } from "../../../_shared/person";
import { requireProof } from "../../../_shared/require-proof";
import { beginIn } from "../../../_shared/sign-in-attempt";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.passkeys.options",
  needs: "person",
  summary:
    "Begins to add a passkey: what the browser makes it by, within ten minutes. Who did not sign in within the last ten minutes gives the password.",
  body: signInProofSchema,
  audit: { refusals: ({ field }) => field === "password" },
  response: passkeyOptionsSchema,
  rawResponse: "application/json",
  handle: async ({ caller, body }) => {
    const { userId, sessionId } = personOf(caller);
    const party = requireParty();
    await requireProof({ userId, sessionId }, body.password);
    return await beginIn("new-passkey", { sessionId }, (partOf) =>
      newPasskeyOptions(userId, party, partOf("challenge")),
    );
  },
});
