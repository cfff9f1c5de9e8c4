import { askBoard, getBoard } from "@/domain/boards";
import { boardDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "boards.blink",
  needs: "admin",
  summary:
    "Has a board show which it is, by a LED; refused with the reason where none of its LEDs can be told to.",
  params: idParams,
  response: boardDetailSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    await askBoard(scope, params.id, "blink");
    return await getBoard(scope, params.id);
  },
});
