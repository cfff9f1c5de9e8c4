import { getBuiltBoards } from "@/domain/forecasts";
import { builtBoardsSchema, builtQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "forecasts.built",
  needs: "read",
  summary:
    "For which boards an artifact of this request exists already and would be taken again, and how long that takes. Changes nothing.",
  body: builtQuerySchema,
  response: builtBoardsSchema,
  audit: { changesNothing: true },
  handle: ({ scope, body }) => getBuiltBoards(scope, body),
});
