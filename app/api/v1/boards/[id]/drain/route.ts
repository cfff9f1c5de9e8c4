import { drainBoard, getBoard } from "@/domain/boards";
import { boardDetailSchema, newDrainSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "boards.drain",
  needs: "admin",
  summary:
    "Drains a board for maintenance: it takes nothing new, and what it holds is moved to other boards, or stays.",
  params: idParams,
  body: newDrainSchema,
  response: boardDetailSchema,
  status: 202,
  handle: async ({ scope, params, body }) => {
    await drainBoard(scope, params.id, body.loaded);
    return await getBoard(scope, params.id);
  },
});
