import { setQuotas } from "@/domain/quotas";
import { quotaLimitsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "projects.set-quotas",
  needs: "admin",
  summary: "Sets how much a project may take of the installation; what is under way goes on.",
  params: idParams,
  body: quotaLimitsSchema,
  handle: async ({ params, body }) => {
    await setQuotas(params.id, body);
    return undefined;
  },
});
