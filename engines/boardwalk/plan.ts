import { type BoardModel, findFamily, listBoardModels } from "@/boards";
import { targetOf } from "@/compiler";
import { corePortOf } from "@/lib/common/core-io";
import { fromErrorData } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import { expectationOf } from "../fpga/expectation-of";
import { planFirmware } from "../fpga/plan-firmware";
import { compile, lowering } from "./compile";
import type { Compiled } from "./compiled";
import { accepts, supports } from "./constraints";
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
  const compiled = compileFor(request, model.graph);
  return planFirmware(
    {
      ...compiled,
      engine: "boardwalk",
      reference: compiled.graph,
      core: corePortOf(compiled.graph, compiled.latencyCycles),
      vectors: compiled.vectors(),
      expected: (clockHz) =>
        expectationOf(
          {
            ...compiled.resources,
            ff: compiled.resources.flipFlops,
            latencyCycles: compiled.latencyCycles,
          },
          { family: board.part.family, architecture: compiled.architecture, clockHz },
        ),
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

/** The core for the board that was asked for; what does not fit is refused with what would. */
function compileFor(request: PlanRequest, floats: Parameters<typeof lowering>[0]): Compiled {
  const { board, options } = request;
  const lowerOnce = lowering(floats, request);
  return withNearestFits({ board, options }, (asked) => {
    const wanted = parseOptions(asked.options);
    const others = otherBoards(asked.board);
    const part = { request: { ...request, board: asked.board }, options: wanted, others };
    return compile(lowerOnce(precisionOf(wanted)), part);
  });
}

function otherBoards(board: BoardModel) {
  return listBoardModels()
    .filter((other) => other.id !== board.id && findFamily(other.part) !== null)
    .map(targetOf);
}
