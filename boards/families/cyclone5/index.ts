import { crystalClock } from "../crystal-clock";
import { type Family, flowFiles } from "../family";
import { usualCosts } from "../family-costs";
import { vendorResources } from "../vendor-resources";
import { estimate } from "./estimate";
import { constraintsOf, projectFiles } from "./project";
import { measure, reports } from "./reports";

const configuration = "boardwalk.sof";
const bitstream = "bitstream.rbf";

/** Intel Cyclone V: Yosys maps and proves, only Quartus makes bitstreams. */
export const cyclone5: Family = {
  kind: "quartus",
  costs: usualCosts,
  title: "Cyclone V",
  tools: ["yosys"],
  bitstream,
  resources: vendorResources,
  // The crystal of the one board; no design was placed here.
  believedClockHz: () => 50e6,
  clockMargin: 1,
  clockFrom: "pin",
  tableOfFour: {
    type: "MISTRAL_ALUT4",
    contents: "LUT",
    inputs: ["A", "B", "C", "D"],
    output: "Q",
  },
  clockSource: (board, clockHz) => crystalClock(board, clockHz, () => null),
  constraints: constraintsOf,
  synthesis: (_, top) =>
    `synth_intel_alm -family cyclonev -top ${top}; write_json ${flowFiles.mapped}`,
  simulatedClock: () => [],
  implementation: () => [
    {
      stage: "place",
      name: "synthesise, place and route by Quartus",
      command: "quartus_sh",
      args: ["--flow", "compile", "boardwalk"],
      reads: ["boardwalk.qsf"],
      produces: [configuration, ...reports],
    },
    {
      stage: "pack",
      name: "convert the bitstream",
      command: "quartus_cpf",
      args: ["-c", configuration, bitstream],
      reads: [configuration],
      produces: [bitstream],
    },
  ],
  vendor: {
    tool: () => "Quartus",
    commands: () => ["quartus_sh", "quartus_cpf"],
    project: projectFiles,
    estimate,
    reports,
    measure,
  },
};
