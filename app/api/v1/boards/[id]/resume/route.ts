import { getBoard, resumeBoard } from "@/domain/boards";
import { boardDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "boards.resume",
  needs: "admin",
  summary: "Ends the drain of a board. Again is no error.",
  params: idParams,
  response: boardDetailSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    await resumeBoard(scope, params.id);
    return await getBoard(scope, params.id);
  },
});
