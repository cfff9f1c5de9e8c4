import { flowFiles, getFamily, type Part } from "@/boards";
import type { SimulationStep, Step, ToolStep } from "../engine";

/** Names of everything that lies in the work folder of a build. */
export const paths = {
  core: "core.v",
  shell: "shell.v",
  identity: "identity.v",
  top: "top.v",
  graph: "graph.json",
  synthesis: "synthesise.ys",
  coreNetlistScript: "core-netlist.ys",
  shellNetlistScript: "shell-netlist.ys",
  design: flowFiles.design,
  cells: "stat.json",
  timing: flowFiles.report,
  coreNetlist: "core.netlist.json",
  simulation: "simulation.wasm",
  shellNetlist: "shell.netlist.json",
  shellSimulation: "simulation-shell.wasm",
} as const;

const sources = [paths.top, paths.shell, paths.identity, paths.core];
const limitS = { synthesise: 1800, place: 1800, pack: 120, netlist: 600, simulation: 300 } as const;

/** The Yosys script that maps the whole design onto a part. */
export function synthesisScript(part: Part): string {
  return `read_verilog ${sources.join(" ")}
${getFamily(part).synthesis(part, "top")}
tee -q -o ${paths.cells} stat -json
`;
}

/** What the simulator reads: the design's own operators, before anything is mapped to a family. */
export const coreNetlistScript = `read_verilog ${paths.core}
hierarchy -check -top core
proc
flatten
memory_collect
opt_clean
write_json ${paths.coreNetlist}
`;

/** The same for the core inside its serial shell, at the clock it will run at. */
export function shellNetlistScript(clockHz: number, baud: number): string {
  return `read_verilog ${paths.shell} ${paths.identity} ${paths.core}
hierarchy -check -top shell -chparam CLOCK_HZ ${clockHz} -chparam BAUD ${baud}
proc
flatten
memory_collect
opt_clean
write_json ${paths.shellNetlist}
`;
}

/** Bitstream first, then what is simulated. The same files go both ways. */
export function buildSteps(part: Part, clockHz: number, simulateShell: boolean): Step[] {
  const family = getFamily(part);
  const [synthesis] = family.tools;
  return [
    yosys(
      "synthesise",
      "synthesise",
      paths.synthesis,
      sources,
      [paths.design, paths.cells],
      synthesis,
    ),
    ...family
      .implementation(part, { clockHz, seed: 1 })
      .map((step): ToolStep => ({ kind: "tool", timeoutS: limitS[step.stage], ...step })),
    ...(simulateShell ? shellSimulation : []),
  ];
}

/** Compiles the core, with its taps, for the simulator. Independent of the clock. */
export const coreSimulation: readonly Step[] = [
  yosys("core netlist", "simulate", paths.coreNetlistScript, [paths.core], [paths.coreNetlist]),
  simulation("core simulation", "core", ["tap_accumulator", "tap_value"]),
];

const shellSimulation: readonly Step[] = [
  yosys(
    "shell netlist",
    "simulate",
    paths.shellNetlistScript,
    [paths.shell, paths.identity, paths.core],
    [paths.shellNetlist],
  ),
  simulation("shell simulation", "shell", []),
];

function yosys(
  name: string,
  stage: ToolStep["stage"],
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
    timeoutS: stage === "simulate" ? limitS.netlist : limitS.synthesise,
    reads: [script, ...reads],
    produces,
  };
}

function simulation(
  name: string,
  top: "core" | "shell",
  signals: readonly string[],
): SimulationStep {
  const netlist = top === "core" ? paths.coreNetlist : paths.shellNetlist;
  return {
    kind: "netlist-to-wasm",
    name,
    stage: "simulate",
    netlist,
    top,
    signals,
    timeoutS: limitS.simulation,
    reads: [netlist],
    produces: [top === "core" ? paths.simulation : paths.shellSimulation],
  };
}
