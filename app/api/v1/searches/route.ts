import { findBoardModel } from "@/boards";
import { checkModelUrl, getSearch, requestInspection } from "@/domain/models";
import { newSearchSchema, searchSchema } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { modelSources } from "../_shared/model-sources";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "searches.create",
  needs: "build",
  counts: "submit",
  summary:
    "Searches for the fewest bits with which a model still agrees with its float self; poll the answer's id.",
  body: newSearchSchema,
  response: searchSchema,
  status: 202,
  audit: { changesNothing: true },
  handle: async ({ scope, body }) => {
    const policy = { projectId: scope, sources: await modelSources(scope) };
    checkModelUrl(body.model.url, { ...policy, field: "model.url" });
    if (body.calibration) {
      checkModelUrl(body.calibration.url, { ...policy, field: "calibration.url" });
    }
    const board = findBoardModel(body.board);
    if (!board) {
      throw fail("BOARD_UNKNOWN", `There is no board model "${body.board}".`, {
        field: "board",
        hint: "List them with GET /api/v1/board-models.",
      });
    }
    const request = { ...body, board: board.id, kind: "search" } as const;
    const { id } = await requestInspection(scope, { url: body.model.url, request });
    return await getSearch(scope, id);
  },
});
