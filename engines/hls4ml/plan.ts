import { fromErrorData } from "@/lib/common/errors";
import { ioOf, maxBatchSizeOf } from "../cpu-io";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";
import { accepts } from "./accepts";
import { boardPlanOf, isOpen, supports } from "./boards";
import { checkLayers } from "./layers";
import { planOpen } from "./open";
import { parseOptions } from "./options";

/** @throws {AppError} why the model or the board is not taken; `OPTION_INVALID` */
export function plan(request: PlanRequest): Plan {
  const { model, card, board, boardKind } = request;
  for (const verdict of [accepts(model), supports(board, boardKind)]) {
    if (!verdict.ok) throw fromErrorData(verdict.problem);
  }
  const options = parseOptions(request.options);
  if (isOpen(board)) return planOpen(request, options);
  checkLayers(model, options);
  const { graph } = model;
  const planFor = boardPlanOf(board, boardKind);
  if (!graph || !planFor) throw new RangeError("An accepted model has a graph and a board.");
  const io = ioOf(graph, card);
  return sealPlan(
    {
      schemaVersion: 1,
      engine: "hls4ml",
      boardModel: board.id,
      kind: "model",
      io,
      maxBatchSize: maxBatchSizeOf(graph),
      core: undefined,
      ...planFor({ model, board, options, io }),
      synthesis: [],
      variants: [],
      reference: null,
      taps: [],
      vectors: [],
    },
    request,
  );
}
