import { signInOptionsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { knownParty } from "../_shared/passkeys";
import { knownService } from "../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "sign-in.options",
  needs: "nothing",
  summary: "How people sign in here, beside passwords.",
  response: signInOptionsSchema,
  handle: async () => ({
    service: knownService()?.name ?? null,
    hasPasskeys: knownParty() !== null,
  }),
});
