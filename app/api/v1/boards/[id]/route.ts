import { getBoard } from "@/domain/boards";
import { boardDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.get",
  needs: "read",
  summary:
    "One board with its places, its server, who waits for it, what was asked of it, and what can be asked.",
  params: idParams,
  response: boardDetailSchema,
  handle: ({ scope, params }) => getBoard(scope, params.id),
});
