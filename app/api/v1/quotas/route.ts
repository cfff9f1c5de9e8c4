import { listQuotas } from "@/domain/quotas";
import { pageOf, projectQuotasSchema, quotaListQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "quotas.list",
  needs: "read",
  summary:
    "How much the project may take, and what it takes now; for whoever runs the installation, of every project, by name.",
  query: quotaListQuerySchema,
  response: pageOf(projectQuotasSchema),
  handle: ({ scope, caller, query }) =>
    listQuotas(caller.rights.has("admin") ? null : scope, query),
});
