import { invite, listInvitations } from "@/domain/people";
import {
  invitationSchema,
  madeInvitationSchema,
  newInvitationSchema,
  pageOf,
} from "@/lib/common/contract";
import { makeTokenText } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../_shared/person";
import { secretLink } from "../_shared/secret-link";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "invitations.list",
  needs: "members",
  summary: "Invitations to the project that nobody has taken, newest first, without their links.",
  response: pageOf(invitationSchema),
  handle: async ({ scope }) => ({ items: await listInvitations(scope), nextCursor: null }),
});

export const POST = defineHandler({
  name: "invitations.create",
  needs: "members",
  summary:
    "Invites somebody: this answer alone holds the link, which lets one person in within 7 days.",
  body: newInvitationSchema,
  response: madeInvitationSchema,
  status: 201,
  handle: async ({ scope, caller, body }) => {
    const { userId } = personOf(caller);
    const { text, digest } = makeTokenText("invite");
    const made = await invite(scope, body, { digest, invitedBy: userId });
    return { ...made, url: secretLink("/invitation", text) };
  },
});
