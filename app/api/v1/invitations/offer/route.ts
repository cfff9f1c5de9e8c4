import { readOffer } from "@/domain/people";
import { invitationCodeSchema, offeredSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { linkDigest } from "../../_shared/link-digest";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "invitations.offer",
  needs: "nothing",
  summary: "What an invitation is to, for whoever has its code.",
  body: invitationCodeSchema,
  response: offeredSchema,
  audit: { changesNothing: true, refusals: ({ reason }) => reason === "INVITATION_UNKNOWN" },
  handle: async ({ body: { code } }) => await readOffer(linkDigest(code)),
});
