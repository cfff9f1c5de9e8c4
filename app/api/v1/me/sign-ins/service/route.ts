import { leadSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../../../_shared/person";
import { leadToService } from "../../../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.sign-ins.service",
  needs: "person",
  summary: "Begins to add another service as a way to sign in: where to send the browser.",
  response: leadSchema,
  rawResponse: "application/json",
  handle: async ({ caller }) =>
    await leadToService({ sessionId: personOf(caller).sessionId, next: "/settings/account" }),
});
