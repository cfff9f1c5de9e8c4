import { leadSchema, serviceStartSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { linkDigest } from "../../_shared/link-digest";
import { leadToService } from "../../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "sign-in.service",
  needs: "nothing",
  summary:
    "Begins a sign-in by another service: where to send the browser, which gets a cookie for the way.",
  body: serviceStartSchema,
  response: leadSchema,
  rawResponse: "application/json",
  handle: async ({ body: { next, invitation } }) =>
    await leadToService({
      next,
      invitation: invitation === undefined ? null : linkDigest(invitation),
    }),
});
