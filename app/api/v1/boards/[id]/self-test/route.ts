import { askBoard, getBoard } from "@/domain/boards";
import { boardDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "boards.selfTest",
  needs: "admin",
  summary:
    "Runs the test of the load again on everything that a board serves; how it went is under `tasks`.",
  params: idParams,
  response: boardDetailSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    await askBoard(scope, params.id, "self-test");
    return await getBoard(scope, params.id);
  },
});
