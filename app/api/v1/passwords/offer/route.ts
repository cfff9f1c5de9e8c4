import { readReset } from "@/domain/people";
import { resetCodeBodySchema, resetOfSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { linkDigest } from "../../_shared/link-digest";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "passwords.offer",
  needs: "nothing",
  summary: "Whose password a link sets, for whoever has its code.",
  body: resetCodeBodySchema,
  response: resetOfSchema,
  audit: { changesNothing: true, refusals: ({ reason }) => reason === "INVITATION_UNKNOWN" },
  handle: async ({ body: { code } }) => await readReset(linkDigest(code)),
});
