import {
  type BoardModel,
  blankClock,
  blankTable,
  clockLadder,
  clockModules,
  fillingOf,
  findFamily,
  getFamily,
  identityModules,
  listBoardModels,
  renderAddressMap,
  renderTables,
  renderTop,
  shellParameters,
} from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { outlineOf, targetOf } from "@/compiler";
import { canonicalJson } from "@/lib/common/contract";
import { corePortOf } from "@/lib/common/core-io";
import { fail, fromErrorData } from "@/lib/common/errors";
import type { Plan, PlanRequest, ProductRole } from "../engine";
import { sealPlan } from "../seal-plan";
import { compile, lowering } from "./compile";
import type { Compiled } from "./compiled";
import { accepts, supports } from "./constraints";
import { expectationOf } from "./expectation";
import { type LinkDesign, linkOf } from "./link";
import { maxBatchSizeOf } from "./max-batch-size";
import { withNearestFits } from "./nearest-fits";
import { type Options, parseOptions, placementsOf, precisionOf } from "./options";
import { paths } from "./paths";
import { type BitstreamNeed, bitstreamNeed, packProject } from "./project";
import { sectionsOf } from "./sections";
import {
  coreNetlistScript,
  coreSimulation,
  netlistScript,
  shellNetlistScript,
  synthesisScript,
  synthesisSteps,
} from "./steps";
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
  const lowerOnce = lowering(floats, request);
  const compiled = withNearestFits({ board, options: request.options }, (asked) => {
    const wanted = parseOptions(asked.options);
    const others = otherBoards(asked.board);
    const part = { request: { ...request, board: asked.board }, options: wanted, others };
    return compile(lowerOnce(precisionOf(wanted)), part);
  });
  const { graph, io } = compiled;
  const link = linkOf(board);
  if (!link) throw new RangeError("A supported board has a link.");
  if (link.kind !== "uart" && options.simulate === "shell") {
    throw fail("OPTION_INVALID", `${board.name} has no serial shell to simulate.`, {
      field: "options.simulate",
      hint: "Leave it out: the core is simulated.",
    });
  }
  const baud = baudOf(board, link);
  const need = bitstreamNeed(board, request.toolVersions);
  const core = corePortOf(graph, compiled.latencyCycles);
  const isReadBack = canReadBack(compiled, board);
  const clocksHz = clocksFor(board, options, compiled.ownMultipliers);
  const seeds = Array.from({ length: placementsOf(options) }, (_, index) => index + 1);
  const [highestHz] = clockLadder(board, getFamily(board.part).believedClockHz(board.part));
  const top =
    baud === null ? null : { board, baud, highestHz: Math.max(highestHz ?? 0, ...clocksHz) };
  const boardFiles = top ? renderTop(top) : new Map([[paths.registers, renderAddressMap(core)]]);
  const variants = clocksHz.flatMap((clockHz) =>
    seeds.map((seed) =>
      variantOf({ board, link, boardFiles, clockHz, seed, top, options, need, isReadBack }),
    ),
  );

  return sealPlan(
    {
      schemaVersion: 1,
      engine: "boardwalk",
      boardModel: board.id,
      kind: "firmware",
      platform: `boardwalk_${board.part.family}`,
      io,
      maxBatchSize: maxBatchSizeOf(graph, baud),
      core,
      ...(baud === null ? {} : { baud }),
      simulate: options.simulate,
      files: new Map([
        [paths.core, compiled.verilog],
        ...link.files,
        ...boardFiles,
        [paths.identity, identityModules(core)],
        [paths.blanks, `${top ? blankClock(top) : ""}${blankTable}`],
        [paths.graph, canonicalJson(graph)],
        [paths.synthesis, synthesisScript(board.part, link, compiled.ownMultipliers)],
        [paths.coreNetlistScript, coreNetlistScript],
        ...(top && options.simulate === "shell"
          ? [[paths.shellNetlistScript, shellNetlistScript(shellParameters(top))] as const]
          : []),
        [paths.netlistScript, netlistScript(board.part, link)],
        [paths.cellModels, cellModelsOf(board.part)],
      ]),
      steps: coreSimulation([...new Set(compiled.taps.map(({ signal }) => signal))]),
      synthesis: synthesisSteps(board.part, link),
      variants,
      products: productsOf(getFamily(board.part).bitstream, need, options),
      reference: graph,
      taps: compiled.taps,
      sections: sectionsOf(compiled.sections),
      vectors: compiled.vectors(),
      forecast: {
        ...compiled.forecast,
        clockHz: clocksHz[0] ?? 0,
        expected: expectationOf(compiled, {
          outline: outlineOf(floats, request.card?.inputRange),
          board,
          options,
          clockHz: clocksHz[0] ?? 0,
        }),
      },
      identify: (planDigest, { clockHz, files }) => {
        const { input, output } = graph;
        const identity = { planDigest, core, input, output, clockHz };
        const tables = renderTables(identity);
        const filling = fillingOf(board, identity, top && clockModules(top, clockHz));
        const project = new Map([
          ...link.files,
          ...boardFiles,
          ...files,
          [paths.core, compiled.verilog],
          [paths.identity, identityModules(core)],
          [paths.tables, tables],
        ]);
        return new Map<string, string | Uint8Array>([
          [paths.tables, tables],
          [paths.filling, canonicalJson(filling)],
          ...(need.tool === null ? [] : [[paths.project, packProject(project)] as const]),
        ]);
      },
    },
    request,
  );
}

function otherBoards(board: BoardModel) {
  return listBoardModels()
    .filter((other) => other.id !== board.id && findFamily(other.part) !== null)
    .map(targetOf);
}

function baudOf({ links }: BoardModel, { kind }: LinkDesign): number | null {
  if (kind !== "uart") return null;
  return links.find((each) => each.kind === "uart")?.baud ?? null;
}

function clocksFor(
  board: BoardModel,
  { clockHz, precision }: Options,
  ownMultipliers: boolean,
): readonly number[] {
  if (clockHz === undefined) {
    const believedHz = getFamily(board.part).believedClockHz(board.part, ownMultipliers);
    const higher = board.standardClocksHz.filter((hz) => hz > believedHz);
    const isDaring = precision === "fastest" && higher.length > 0;
    return clockLadder(board, isDaring ? Math.min(...higher) : believedHz);
  }
  if (board.standardClocksHz.includes(clockHz)) return [clockHz];
  const choices = board.standardClocksHz.map((hz) => `${hz / 1e6} MHz`).join(", ");
  throw fail("OPTION_INVALID", `${board.name} has no clock of ${clockHz} Hz.`, {
    field: "options.clockHz",
    hint: `Choose one of ${choices}.`,
  });
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
