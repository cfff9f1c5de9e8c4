import { passkeyOptions } from "@/domain/sign-in";
import { passkeyOptionsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { requireParty } from "../../../_shared/passkeys";
import { beginIn } from "../../../_shared/sign-in-attempt";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "sign-in.passkey-options",
  needs: "nothing",
  summary: "Begins a sign-in by a passkey: what the browser asks for, within ten minutes.",
  response: passkeyOptionsSchema,
  rawResponse: "application/json",
  handle: async () => {
    const party = requireParty();
    return await beginIn("passkey", {}, (partOf) => passkeyOptions(party, partOf("challenge")));
  },
});
