import { getBoard, reloadBoard } from "@/domain/boards";
import { boardDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "boards.reload",
  needs: "admin",
  summary: "Loads what a board should hold once more, and tests it; it answers nothing meanwhile.",
  params: idParams,
  response: boardDetailSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    await reloadBoard(scope, params.id);
    return await getBoard(scope, params.id);
  },
});
