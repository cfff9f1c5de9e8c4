import { joinAsKnown } from "@/domain/people";
import { invitationCodeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { linkDigest } from "../../_shared/link-digest";
import { personOf } from "../../_shared/person";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "invitations.accept",
  needs: "person",
  summary: "Takes up an invitation by somebody who has an account.",
  body: invitationCodeSchema,
  audit: { refusals: ({ reason }) => reason === "INVITATION_UNKNOWN" },
  handle: async ({ caller, body: { code } }) => {
    await joinAsKnown(personOf(caller), linkDigest(code));
    return undefined;
  },
});
