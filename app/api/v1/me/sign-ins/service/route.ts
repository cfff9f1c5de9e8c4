import { leadSchema, signInProofSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../../../_shared/person";
import { requireProof } from "../../../_shared/require-proof";
import { leadToService } from "../../../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.sign-ins.service",
  needs: "person",
  summary:
    "Begins to add another service as a way to sign in: where to send the browser. Who did not sign in within the last ten minutes gives the password.",
  body: signInProofSchema,
  audit: { refusals: ({ field }) => field === "password" },
  response: leadSchema,
  rawResponse: "application/json",
  handle: async ({ caller, body }) => {
    const person = personOf(caller);
    await requireProof(person, body.password);
    return await leadToService({ sessionId: person.sessionId, next: "/settings/account" });
  },
});
