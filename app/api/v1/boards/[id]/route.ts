import { getBoard } from "@/domain/boards";
import { boardSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.get",
  summary: "One board with its slots.",
  params: idParams,
  response: boardSchema,
  handle: ({ scope, params }) => getBoard(scope, params.id),
});
