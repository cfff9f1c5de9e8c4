import { exportBuilds, listBuilds } from "@/domain/builds";
import {
  buildListQuerySchema,
  buildSchema,
  exportedBuildSchema,
  pageOf,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { exportFile, exportFormat } from "../_shared/export";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "builds.list",
  needs: "read",
  summary:
    "Builds that match, newest first or as `sort` says, page by page; with `format`, or `Accept: text/csv`, all of them as one file.",
  query: buildListQuerySchema,
  response: pageOf(buildSchema),
  rawResponse: "text/csv",
  handle: async ({ scope, query: { format: asked, ...query }, request }) => {
    const format = exportFormat(asked, request);
    if (format === null) return await listBuilds(scope, query);
    return exportFile({
      name: "builds",
      format,
      columns: Object.keys(exportedBuildSchema.shape),
      rows: exportBuilds(scope, query),
    });
  },
});
