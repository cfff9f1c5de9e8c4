import { exportBoards, listBoards } from "@/domain/boards";
import {
  boardListQuerySchema,
  boardSchema,
  exportedBoardSchema,
  pageOf,
} from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { exportFile, exportFormat } from "../_shared/export";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.list",
  needs: "read",
  summary:
    "Boards of the installation that match with their slots, hardware first or as `sort` says, page by page; with `format`, or `Accept: text/csv`, all of them as one file.",
  query: boardListQuerySchema,
  response: pageOf(boardSchema),
  rawResponse: "text/csv",
  handle: async ({ scope, query: { format: asked, ...query }, request }) => {
    const format = exportFormat(asked, request);
    if (format === null) return await listBoards(scope, query);
    return exportFile({
      name: "boards",
      format,
      columns: Object.keys(exportedBoardSchema.shape),
      rows: exportBoards(scope, query),
    });
  },
});
