import { type BoardModel, getFamily } from "@/boards";
import type { Plan, PlanRequest, ProductRole, Variant } from "../engine";
import { sealPlan } from "../seal-plan";
import type { Choices } from "./choices";
import type { CoreDesign } from "./core-design";
import { type Design, designOf } from "./design";
import { maxBatchSizeOf } from "./max-batch-size";
import { paths } from "./paths";
import { identifiedFiles, sharedFiles } from "./plan-files";
import type { BitstreamNeed } from "./project";
import { sectionsOf } from "./sections";
import { coreSimulation, synthesisSteps } from "./steps";
import { variantOf } from "./variant";

/**
 * Firmware for an FPGA board around a core: shell, top and clocks, and the tools that make a bitstream and a simulation.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function planFirmware(made: CoreDesign, request: PlanRequest, choices: Choices): Plan {
  const { board, toolVersions } = request;
  const { core, making, reference, taps, vectors } = made;
  const design = designOf(made, { board, choices, toolVersions });
  const { link, baud, need, clocksHz } = design;
  const clockHz = clocksHz[0] ?? 0;
  return sealPlan(
    {
      schemaVersion: 1,
      engine: made.engine,
      boardModel: board.id,
      kind: "firmware",
      platform: `boardwalk_${board.part.family}`,
      io: made.io,
      maxBatchSize: maxBatchSizeOf(core, baud),
      core,
      ...(baud === null ? {} : { baud }),
      simulate: choices.simulate,
      files: sharedFiles(design),
      steps: [
        ...(making?.steps ?? []),
        ...coreSimulation([...new Set(taps.map(({ signal }) => signal))]),
      ],
      synthesis: synthesisSteps(board.part, link),
      variants: variantsOf(design),
      products: productsOf(getFamily(board.part).bitstream, need, choices),
      reference,
      ...(made.isReferenceMade ? { referenceFrom: paths.graph } : {}),
      taps,
      sections: sectionsOf(made.sections),
      vectors,
      forecast: {
        ...made.forecast,
        clockHz,
        ...(made.expected ? { expected: made.expected(clockHz) } : {}),
      },
      identify: (planDigest, variant) => identifiedFiles(design, planDigest, variant),
    },
    request,
  );
}

/** Every clock of the design with every placement of it, the highest clock first. */
function variantsOf(design: Design): Variant[] {
  const { board, made, choices, clocksHz } = design;
  const seeds = Array.from({ length: choices.placements }, (_, index) => index + 1);
  const isReadBack = canReadBack(made, board);
  const isCoreMadeByTools = made.verilog === null;
  return clocksHz.flatMap((clockHz) =>
    seeds.map((seed) => variantOf({ ...design, clockHz, seed, isReadBack, isCoreMadeByTools })),
  );
}

/**
 * Whether the bitstream can be read back: every cell of the design is one that the family's checker knows. Whether that is
 * here is the worker's affair: what proves a product does not decide it.
 */
function canReadBack({ forecast }: CoreDesign, board: BoardModel): boolean {
  const { checker } = getFamily(board.part);
  const multipliers = forecast.resources.find(({ id }) => id === "dsp")?.used ?? 0;
  return checker !== undefined && multipliers === 0;
}

function productsOf(bitstream: string, need: BitstreamNeed, { simulate }: Choices): ProductRole[] {
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
