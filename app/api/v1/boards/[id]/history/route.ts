import { listHistory } from "@/domain/boards";
import { boardHistoryItemSchema, boardHistoryQuerySchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.history",
  needs: "read",
  summary:
    "What happened to a board, newest first: loads, tests, failures and states of five weeks.",
  params: idParams,
  query: boardHistoryQuerySchema,
  response: pageOf(boardHistoryItemSchema),
  handle: ({ scope, params, query }) => listHistory(scope, params.id, query),
});
