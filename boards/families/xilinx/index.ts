import type { Part } from "../../schema";
import { type Family, type FlowStep, flowFiles } from "../family";
import { usualCosts } from "../family-costs";
import { vendorResources } from "../vendor-resources";
import { clockSource } from "./clock";
import { estimate } from "./estimate";
import { implementTcl, projectFiles } from "./project";
import { measure, reports } from "./reports";

const pins = "top.xdc";
const bitstream = "bitstream.bit";
const routed = "routed.dcp";

function flowOf({ flow, name }: Part) {
  if (flow.kind !== "vivado") throw new RangeError(`${name} is no part of Vivado's.`);
  return flow;
}

const vivado = (
  stage: FlowStep["stage"],
  name: string,
  script: string,
): Omit<FlowStep, "reads" | "produces"> => ({
  stage,
  name,
  command: "vivado",
  args: ["-mode", "batch", "-nojournal", "-nolog", "-notrace", "-source", script],
});

/** AMD 7 series, Zynq, UltraScale+ and Alveo: Yosys maps and proves, only Vivado makes bitstreams. */
export const xilinx: Family = {
  kind: "vivado",
  costs: usualCosts,
  title: "AMD",
  tools: ["yosys"],
  bitstream,
  resources: vendorResources,
  // What boards of the 7 series are usually clocked with; no design was placed here.
  believedClockHz: () => 100e6,
  clockMargin: 1,
  clockFrom: "pin",
  clockSource,
  tableOfFour: { type: "LUT4", contents: "INIT", inputs: ["I0", "I1", "I2", "I3"], output: "O" },
  constraints: (board, uses) => ({
    file: pins,
    text: [
      ...uses.flatMap(({ port, pin, hz, ioStandard }) => [
        `set_property -dict { PACKAGE_PIN ${pin} IOSTANDARD ${ioStandard ?? board.ioStandard ?? "LVCMOS33"} } [get_ports ${port}]\n`,
        ...(hz === undefined
          ? []
          : [`create_clock -name clock -period ${(1e9 / hz).toFixed(3)} [get_ports ${port}]\n`]),
      ]),
      "set_false_path -from [get_ports rx]\n",
      ...uses
        .filter(({ port }) => port === "tx" || port.startsWith("led"))
        .map(({ port }) => `set_false_path -to [get_ports ${port}]\n`),
    ].join(""),
  }),
  synthesis: (part, top) =>
    [
      `synth_xilinx -family ${flowOf(part).synthesis} -flatten`,
      // Inside of a larger design there are no pads.
      ...(top === "top" ? [] : ["-noiopad"]),
      `-top ${top} -json ${flowFiles.mapped}`,
    ].join(" "),
  simulatedClock: () => [],
  implementation: () => [
    {
      ...vivado("place", "synthesise, place and route by Vivado", implementTcl),
      reads: [implementTcl],
      produces: [routed, ...reports],
    },
    {
      ...vivado("pack", "write the bitstream", "bitstream.tcl"),
      reads: [routed],
      produces: [bitstream],
    },
  ],
  vendor: {
    tool: ({ links: [link] }) => (link?.kind === "pcie" ? "Vitis" : "Vivado"),
    commands: ({ links: [link] }) => (link?.kind === "pcie" ? [] : ["vivado"]),
    project: projectFiles,
    estimate,
    reports,
    measure,
  },
};
