import { countBoards } from "@/domain/boards";
import { boardFilterSchema, boardListCountsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "counts.boards",
  needs: "read",
  summary:
    "How many boards that match are in each state, whichever states are chosen, and how many places they have in all and free.",
  query: boardFilterSchema,
  response: boardListCountsSchema,
  handle: ({ scope, query }) => countBoards(scope, query),
});
