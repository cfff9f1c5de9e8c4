import {
  type BoardModel,
  blankClock,
  blankTable,
  clockLadder,
  clockModules,
  fillingOf,
  getFamily,
  identityModules,
  renderAddressMap,
  renderTables,
  renderTop,
  shellParameters,
} from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import type { SectionRule } from "@/compiler";
import {
  type ArtifactIo,
  canonicalJson,
  type Expectation,
  type Manifest,
  type Report,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Plan, PlanRequest, ProductRole, Step } from "../engine";
import type { Reference } from "../reference/reference";
import { sealPlan } from "../seal-plan";
import type { Choices } from "./choices";
import { maxBatchSizeOf } from "./io";
import { type LinkDesign, linkOf } from "./link";
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

/** A core as an engine made it, or says how tools will: what firmware of any engine is planned from. */
export interface CoreDesign {
  readonly engine: string;
  readonly reference: Reference;
  /** The text of `core.v`; null where the steps leave it, which only families whose tools are open can build from. */
  readonly verilog: string | null;
  /** Files and steps that come before everything else; nothing where the text is there already. */
  readonly making?: { readonly files: Plan["files"]; readonly steps: readonly Step[] };
  readonly core: NonNullable<Manifest["core"]>;
  /** Whether the core names the part's multiplier blocks, or wants none; otherwise synthesis finds them. */
  readonly ownMultipliers: boolean;
  /** The share of the clock that its family is believed to reach with the compiler's own cores; left out: all of it. */
  readonly clockShare?: number;
  readonly taps: Plan["taps"];
  readonly sections: readonly SectionRule[];
  readonly vectors: Plan["vectors"];
  readonly io: ArtifactIo;
  /** What the report says before any tool ran, and what it will be held against, at the first clock that is tried. */
  readonly forecast: Report;
  readonly expected?: (clockHz: number) => Expectation;
}

/**
 * Firmware for an FPGA board around a core: shell, top and clocks, and the tools that make a bitstream and a simulation.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function planFirmware(design: CoreDesign, request: PlanRequest, choices: Choices): Plan {
  const { board } = request;
  const { core, making, ownMultipliers, reference } = design;
  const link = linkOf(board);
  if (!link) throw new RangeError("A supported board has a link.");
  checkShell(board, link, choices);
  const baud = baudOf(board, link);
  const need = bitstreamNeed(board, request.toolVersions);
  const isReadBack = canReadBack(design, board);
  const clocksHz = clocksFor(board, choices, design);
  const [clockHz = 0] = clocksHz;
  const seeds = Array.from({ length: choices.placements }, (_, index) => index + 1);
  const [highestHz] = clockLadder(board, getFamily(board.part).believedClockHz(board.part));
  const top =
    baud === null ? null : { board, baud, highestHz: Math.max(highestHz ?? 0, ...clocksHz) };
  const boardFiles = top ? renderTop(top) : new Map([[paths.registers, renderAddressMap(core)]]);
  const coreFile = design.verilog === null ? [] : [[paths.core, design.verilog] as const];

  return sealPlan(
    {
      schemaVersion: 1,
      engine: design.engine,
      boardModel: board.id,
      kind: "firmware",
      platform: `boardwalk_${board.part.family}`,
      io: design.io,
      maxBatchSize: maxBatchSizeOf(core, baud),
      core,
      ...(baud === null ? {} : { baud }),
      simulate: choices.simulate,
      files: new Map<string, string | Uint8Array>([
        ...coreFile,
        ...(making?.files ?? []),
        ...link.files,
        ...boardFiles,
        [paths.identity, identityModules(core)],
        [paths.blanks, `${top ? blankClock(top) : ""}${blankTable}`],
        [paths.graph, canonicalJson(reference)],
        [paths.synthesis, synthesisScript(board.part, link, ownMultipliers)],
        [paths.coreNetlistScript, coreNetlistScript],
        ...(top && choices.simulate === "shell"
          ? [[paths.shellNetlistScript, shellNetlistScript(shellParameters(top))] as const]
          : []),
        [paths.netlistScript, netlistScript(board.part, link)],
        [paths.cellModels, cellModelsOf(board.part)],
      ]),
      steps: [
        ...(making?.steps ?? []),
        ...coreSimulation([...new Set(design.taps.map(({ signal }) => signal))]),
      ],
      synthesis: synthesisSteps(board.part, link),
      variants: clocksHz.flatMap((clockHz) =>
        seeds.map((seed) =>
          variantOf({ board, link, boardFiles, clockHz, seed, top, choices, need, isReadBack }),
        ),
      ),
      products: productsOf(getFamily(board.part).bitstream, need, choices),
      reference,
      taps: design.taps,
      sections: sectionsOf(design.sections),
      vectors: design.vectors,
      forecast: {
        ...design.forecast,
        clockHz,
        ...(design.expected ? { expected: design.expected(clockHz) } : {}),
      },
      identify: (planDigest, { clockHz, files }) => {
        const { input, output } = reference;
        const identity = { planDigest, core, input, output, clockHz };
        const tables = renderTables(identity);
        const filling = fillingOf(board, identity, top && clockModules(top, clockHz));
        const project = new Map([
          ...link.files,
          ...boardFiles,
          ...files,
          ...coreFile,
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

function checkShell(board: BoardModel, { kind }: LinkDesign, { simulate }: Choices): void {
  if (kind === "uart" || simulate !== "shell") return;
  throw fail("OPTION_INVALID", `${board.name} has no serial shell to simulate.`, {
    field: "options.simulate",
    hint: "Leave it out: the core is simulated.",
  });
}

function baudOf({ links }: BoardModel, { kind }: LinkDesign): number | null {
  if (kind !== "uart") return null;
  return links.find((each) => each.kind === "uart")?.baud ?? null;
}

function clocksFor(
  board: BoardModel,
  { clockHz, isDaring = false }: Choices,
  { ownMultipliers, clockShare = 1 }: CoreDesign,
): readonly number[] {
  if (clockHz === undefined) {
    const family = getFamily(board.part);
    const believedHz = clockShare * family.believedClockHz(board.part, ownMultipliers);
    const higher = board.standardClocksHz.filter((hz) => hz > believedHz);
    return clockLadder(board, isDaring && higher.length > 0 ? Math.min(...higher) : believedHz);
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
