import { type BoardModel, findFamily, listBoardModels } from "@/boards";
import { type IntegerGraph, outlineOf, targetOf } from "@/compiler";
import { fromErrorData } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import { planFirmware } from "../fpga/firmware";
import { compile, lowering } from "./compile";
import { accepts, supports } from "./constraints";
import { expectationOf } from "./expectation";
import { withNearestFits } from "./nearest-fits";
import { parseOptions, placementsOf, precisionOf } from "./options";

/**
 * Plans firmware for an FPGA board: the model as integers, its core, shell and top, and the tools that make a bitstream
 * and a simulation of them.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_TOO_LARGE`, `COMBINATION_UNSUPPORTED`, `OPTION_INVALID`, …
 */
export function plan(request: PlanRequest): Plan {
  const { model, board, boardKind } = request;
  const options = parseOptions(request.options);
  for (const verdict of [accepts(model), supports(board, boardKind)]) {
    if (!verdict.ok) throw fromErrorData(verdict.problem);
  }
  if (!model.graph) throw new RangeError("An accepted model has a graph.");
  const { graph: floats } = model;
  const lowerOnce = lowering(floats, request);
  const compiled = withNearestFits({ board, options: request.options }, (asked) => {
    const wanted = parseOptions(asked.options);
    const others = otherBoards(asked.board);
    const part = { request: { ...request, board: asked.board }, options: wanted, others };
    return compile(lowerOnce(precisionOf(wanted)), part);
  });
  return planFirmware(
    {
      ...compiled,
      engine: "boardwalk",
      reference: compiled.graph,
      core: corePortOf(compiled.graph, compiled.latencyCycles),
      vectors: compiled.vectors(),
      expected: (clockHz) =>
        expectationOf(compiled, {
          outline: outlineOf(floats, request.card?.inputRange),
          board,
          options,
          clockHz,
        }),
    },
    request,
    {
      simulate: options.simulate,
      clockHz: options.clockHz,
      placements: placementsOf(options),
      isDaring: options.precision === "fastest",
    },
  );
}

function otherBoards(board: BoardModel) {
  return listBoardModels()
    .filter((other) => other.id !== board.id && findFamily(other.part) !== null)
    .map(targetOf);
}

/** How a row passes the stream port. */
function corePortOf({ input, output }: IntegerGraph, latencyCycles: number) {
  const bytesPerOutput = output.width / 8;
  return {
    inputBytes: input.size,
    outputBytes: output.size * bytesPerOutput,
    bytesPerOutput,
    latencyCycles,
  };
}
