import { exportAuditLog, listAuditLog } from "@/domain/audit-log";
import {
  auditEntrySchema,
  auditQuerySchema,
  exportedAuditEntrySchema,
  pageOf,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { exportFile } from "../_shared/export";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "audit.list",
  needs: "oversight",
  summary:
    "Who did what, when and from where, newest first: of the project, and for whoever runs the installation of all of it. With `format`, everything that matches as one file.",
  query: auditQuerySchema,
  response: pageOf(auditEntrySchema),
  rawResponse: "text/csv",
  handle: async ({ scope, caller, query: { format, limit, cursor, ...filter } }) => {
    const seen = caller.rights.has("admin") ? null : scope;
    if (format === undefined) return await listAuditLog(seen, { limit, cursor, ...filter });
    return exportFile({
      name: "audit",
      format,
      columns: Object.keys(exportedAuditEntrySchema.shape),
      rows: exportAuditLog(seen, filter),
    });
  },
});
