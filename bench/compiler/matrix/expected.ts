import { getBoardModel } from "@/boards";
import { outlineOf } from "@/compiler";
import { forecast } from "@/compiler/forecast";
import type { MatrixModel } from "./models";
import type { PlannedModel } from "./plan-model";
import type { Expected } from "./row";

/** What the form shows of a planned model: the very forecast of the page, from what an inspection keeps of it. */
export function expectedOf(
  { model, plan }: PlannedModel,
  { card }: MatrixModel,
  boardId: string,
): Expected {
  if (!model.graph) throw new RangeError("A planned model has a graph.");
  const outline = outlineOf(model.graph, card?.inputRange);
  const shown = forecast({ outline, board: getBoardModel(boardId) });
  if (!shown.fits) throw new RangeError(`What was planned ${shown.lack}.`);
  if (shown.architecture !== plan.forecast.expected?.architecture) {
    throw new RangeError(`The form shows ${shown.architecture}, the plan is of another.`);
  }
  const { lut, bramBlocks, dsp, cycles } = shown;
  return {
    lut: lut.expected,
    bram: bramBlocks.expected,
    dsp: dsp.expected,
    cycles: cycles.expected,
  };
}
