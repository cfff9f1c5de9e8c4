import { signInOptionsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { knownService } from "../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "sign-in.options",
  needs: "nothing",
  summary: "Which other service signs people in here.",
  response: signInOptionsSchema,
  handle: async () => ({ service: knownService()?.name ?? null }),
});
