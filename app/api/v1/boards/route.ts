import { listBoards } from "@/domain/boards";
import { boardSchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.list",
  summary: "Every board of the installation with its slots.",
  response: pageOf(boardSchema),
  handle: async ({ scope }) => ({ items: await listBoards(scope), nextCursor: null }),
});
