import { type BoardModel, findFamily, getFamily, listBoardModels } from "@/boards";
import { targetOf } from "@/compiler";
import { fromErrorData } from "@/lib/common/errors";
import type { Plan, PlanRequest, ProductRole, Variant } from "../engine";
import { sealPlan } from "../seal-plan";
import { compile, lowering } from "./compile";
import type { Compiled } from "./compiled";
import { accepts, supports } from "./constraints";
import { type Design, designOf } from "./design";
import { expectationOf } from "./expectation";
import { maxBatchSizeOf } from "./max-batch-size";
import { withNearestFits } from "./nearest-fits";
import { type Options, parseOptions, placementsOf, precisionOf } from "./options";
import { paths } from "./paths";
import { identifiedFiles, sharedFiles } from "./plan-files";
import type { BitstreamNeed } from "./project";
import { sectionsOf } from "./sections";
import { coreSimulation, synthesisSteps } from "./steps";
import { variantOf } from "./variant";

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
  const compiled = compileFor(request, floats);
  const design = designOf(compiled, { board, options, toolVersions: request.toolVersions });
  const { link, core, baud, need, clocksHz } = design;
  const { graph, taps } = compiled;
  const clockHz = clocksHz[0] ?? 0;
  const expected = expectationOf(compiled, { family: board.part.family, clockHz });
  return sealPlan(
    {
      schemaVersion: 1,
      engine: "boardwalk",
      boardModel: board.id,
      kind: "firmware",
      platform: `boardwalk_${board.part.family}`,
      io: compiled.io,
      maxBatchSize: maxBatchSizeOf(graph, baud),
      core,
      ...(baud === null ? {} : { baud }),
      simulate: options.simulate,
      files: sharedFiles(design),
      steps: coreSimulation([...new Set(taps.map(({ signal }) => signal))]),
      synthesis: synthesisSteps(board.part, link),
      variants: variantsOf(design),
      products: productsOf(getFamily(board.part).bitstream, need, options),
      reference: graph,
      taps,
      sections: sectionsOf(compiled.sections),
      vectors: compiled.vectors(),
      forecast: { ...compiled.forecast, clockHz, expected },
      identify: (planDigest, variant) => identifiedFiles(design, planDigest, variant),
    },
    request,
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

/** Every clock of the design with every placement of it, the highest clock first. */
function variantsOf(design: Design): Variant[] {
  const { board, compiled, options, clocksHz } = design;
  const seeds = Array.from({ length: placementsOf(options) }, (_, index) => index + 1);
  const isReadBack = canReadBack(compiled, board);
  return clocksHz.flatMap((clockHz) =>
    seeds.map((seed) => variantOf({ ...design, clockHz, seed, isReadBack })),
  );
}

function otherBoards(board: BoardModel) {
  return listBoardModels()
    .filter((other) => other.id !== board.id && findFamily(other.part) !== null)
    .map(targetOf);
}

/**
 * Whether the bitstream can be read back: every cell of the design is one that the family's checker knows. Whether that is
 * here is the worker's affair: what proves a product does not decide it.
 */
function canReadBack({ forecast }: Pick<Compiled, "forecast">, board: BoardModel): boolean {
  const { checker } = getFamily(board.part);
  const multipliers = forecast.resources.find(({ id }) => id === "dsp")?.used ?? 0;
  return checker !== undefined && multipliers === 0;
}

function productsOf(bitstream: string, need: BitstreamNeed, { simulate }: Options): ProductRole[] {
  return [
    ...(need.isHere ? [{ role: "bitstream" as const, path: bitstream }] : []),
    ...(need.tool === null ? [] : [{ role: "project" as const, path: paths.project }]),
    { role: "simulation", path: paths.simulation },
    ...(simulate === "shell"
      ? [{ role: "simulation-shell" as const, path: paths.shellSimulation }]
      : []),
    { role: "graph", path: paths.graph },
    { role: "verilog", path: paths.core },
  ];
}
