import { listBoardModels } from "@/domain/boards";
import { boardModelSummarySchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "board-models.list",
  needs: "read",
  summary: "The catalogue of board models, with the kinds in which each can be had here.",
  response: pageOf(boardModelSummarySchema),
  handle: async () => ({ items: await listBoardModels(), nextCursor: null }),
});
