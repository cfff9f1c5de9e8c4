import { getBoardModelDetail } from "@/domain/boards";
import { boardModelDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boardModels.get",
  needs: "read",
  summary:
    "One board model as its file in the catalogue says it: part, programmer, clocks, links and pins.",
  params: idParams,
  response: boardModelDetailSchema,
  handle: async ({ params }) => getBoardModelDetail(params.id),
});
