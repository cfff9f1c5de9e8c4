import { getFamily, type Part, type ReadBack } from "@/boards";
import type { FillStep, SimulationStep, Step, ToolStep } from "../engine";
import type { LinkDesign } from "./link";
import { paths } from "./paths";

const limitS = { synthesise: 1800, place: 1800, pack: 120, simulate: 1800, fill: 120 } as const;
const compileLimitS = 300;
/** A vendor's tool synthesises too. */
const vendorLimitS = 7200;

/** The Yosys script that maps the whole design onto a part, but for its blanks. @param ownMultipliers Whether the core names its multipliers. */
export function synthesisScript(
  part: Part,
  { sources, top }: LinkDesign,
  ownMultipliers = false,
): string {
  return `read_verilog ${[...sources, paths.blanks].join(" ")}
${getFamily(part).synthesis(part, top, ownMultipliers)}
`;
}

/**
 * What the simulator reads: the design's own operators, before anything is mapped to a family, and the models of those
 * cells that the design names itself. Wires that are only there to be looked at are kept; synthesis drops them.
 */
export const coreNetlistScript = `read_verilog ${paths.core}
read_verilog -defer ${paths.cellModels}
setattr -set keep 1 w:tap_* w:accumulator_* w:value_* w:table_*
hierarchy -check -top core
proc
flatten
memory_collect
opt_clean
write_json ${paths.coreNetlist}
`;

/** What the shell is simulated from: all but the top, whose clock passes by. */
const shellSources = [paths.shell, paths.identity, paths.core, paths.clock, paths.tables];

/** The same for the core inside its serial shell, at the clock of the files beside it. */
export function shellNetlistScript(parameters: Readonly<Record<string, number>>): string {
  const settings = Object.entries(parameters).map(([name, value]) => `-chparam ${name} ${value}`);
  return `read_verilog ${shellSources.join(" ")}
read_verilog -defer ${paths.cellModels}
hierarchy -check -top shell ${settings.join(" ")}
proc
flatten
memory_collect
opt_clean
write_json ${paths.shellNetlist}
`;
}

/**
 * What the simulator reads of the design as it will be placed: the cells that synthesis chose, replaced by their models.
 * The library that came along goes first, so that a cell without a model stays and is refused by name.
 */
export function netlistScript(part: Part, { top }: LinkDesign): string {
  const { modelledCells = "", simulatedClock } = getFamily(part);
  return [
    `read_json ${paths.design}`,
    `delete =* =${top} %d`,
    modelledCells,
    ...simulatedClock(part),
    ofCells(top, paths.netlist),
  ].join("\n");
}

/** The same of the design as it was read back from its bitstream. */
export const chipScript = ({ verilog, top, repairs }: ReadBack): string =>
  [
    `read_verilog ${verilog}`,
    "proc",
    `cd ${top}`,
    ...repairs,
    "cd ..",
    ofCells(top, paths.chipNetlist),
  ].join("\n");

/** A netlist of the family's cells, with their models in place of them. */
const ofCells = (top: string, netlist: string) => `\
read_verilog -defer ${paths.cellModels}
hierarchy -top ${top}
proc
flatten
opt_expr
memory_collect
opt_mem
setattr -unset src
opt_clean -purge
write_json ${netlist}
`;

interface BuildChoice {
  readonly link: LinkDesign;
  readonly clockHz: number;
  readonly seed: number;
  readonly simulateShell: boolean;
  /** Files that placing reads besides what its own steps name; null where no tool here places. */
  readonly project: readonly string[] | null;
}

/** Maps the whole design, at any clock and with any identity. */
export function synthesisSteps(part: Part, { sources }: LinkDesign): readonly Step[] {
  const [synthesis] = getFamily(part).tools;
  const reads = [...sources, paths.blanks];
  return [yosys("synthesise", "synthesise", paths.synthesis, reads, [paths.mapped], synthesis)];
}

/**
 * Fills the blanks of the mapped netlist; then two ways that need nothing of each other: one simulates it, the other
 * places it.
 */
export function buildSteps(
  part: Part,
  { link, clockHz, seed, simulateShell, project }: BuildChoice,
): Step[] {
  const family = getFamily(part);
  const [synthesis] = family.tools;
  const { top } = link;
  return [
    fill(top),
    yosys(
      "netlist",
      "simulate",
      paths.netlistScript,
      [paths.design, paths.cellModels],
      [paths.netlist],
      synthesis,
    ),
    simulation("netlist simulation", {
      top,
      netlist: paths.netlist,
      product: paths.netlistSimulation,
    }),
    ...(project === null
      ? []
      : family.implementation(part, { clockHz, seed }).map(
          (step): ToolStep => ({
            kind: "tool",
            timeoutS: family.vendor ? vendorLimitS : limitS[step.stage],
            ...step,
            // A vendor's tool reads the whole project.
            reads: [...new Set([...step.reads, ...project])],
          }),
        )),
    ...(simulateShell ? shellSimulation : []),
  ];
}

/** From the packed bitstream back to a simulation, for what was loaded to be proven. */
export const readBackSteps = ({ steps, verilog, top }: ReadBack): readonly Step[] => [
  ...steps.map((step): ToolStep => ({ kind: "tool", timeoutS: limitS[step.stage], ...step })),
  yosys(
    "chip netlist",
    "simulate",
    paths.chipScript,
    [verilog, paths.cellModels],
    [paths.chipNetlist],
  ),
  simulation("chip simulation", {
    top,
    netlist: paths.chipNetlist,
    product: paths.chipSimulation,
  }),
];

/** Compiles the core, with its taps, for the simulator. Independent of the clock. */
export const coreSimulation = (signals: readonly string[]): readonly Step[] => [
  yosys(
    "core netlist",
    "simulate",
    paths.coreNetlistScript,
    [paths.core, paths.cellModels],
    [paths.coreNetlist],
  ),
  simulation("core simulation", {
    top: "core",
    netlist: paths.coreNetlist,
    product: paths.simulation,
    signals,
  }),
];

const shellSimulation: readonly Step[] = [
  yosys(
    "shell netlist",
    "simulate",
    paths.shellNetlistScript,
    [...shellSources, paths.cellModels],
    [paths.shellNetlist],
  ),
  simulation("shell simulation", {
    top: "shell",
    netlist: paths.shellNetlist,
    product: paths.shellSimulation,
  }),
];

function yosys(
  name: string,
  stage: "synthesise" | "simulate",
  script: string,
  reads: readonly string[],
  produces: readonly string[],
  command = "yosys",
): ToolStep {
  return {
    kind: "tool",
    name,
    stage,
    command,
    args: ["-s", script],
    timeoutS: limitS[stage],
    reads: [script, ...reads],
    produces,
  };
}

const fill = (top: string): FillStep => ({
  kind: "fill-blanks",
  name: "fill in clock and identity",
  stage: "synthesise",
  mapped: paths.mapped,
  top,
  filling: paths.filling,
  netlist: paths.design,
  cells: paths.cells,
  timeoutS: limitS.fill,
  reads: [paths.mapped, paths.filling],
  produces: [paths.design, paths.cells],
});

function simulation(
  name: string,
  {
    top,
    netlist,
    product,
    signals = [],
  }: {
    readonly top: string;
    readonly netlist: string;
    readonly product: string;
    readonly signals?: readonly string[];
  },
): SimulationStep {
  return {
    kind: "netlist-to-wasm",
    name,
    stage: "simulate",
    netlist,
    top,
    signals,
    timeoutS: compileLimitS,
    reads: [netlist],
    produces: [product],
  };
}
