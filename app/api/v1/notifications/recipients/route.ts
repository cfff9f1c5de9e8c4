import { addMailRecipient } from "@/domain/notifications";
import { mailRecipientSchema, newMailRecipientSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "notifications.addRecipient",
  needs: "members",
  summary:
    "Has somebody told of builds that end by e-mail; an address that is there gets the new events.",
  body: newMailRecipientSchema,
  response: mailRecipientSchema,
  status: 201,
  handle: ({ scope, body }) => addMailRecipient(scope, body),
});
