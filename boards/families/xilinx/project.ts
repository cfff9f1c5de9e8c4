import type { ProjectRequest } from "../family";
import { deviceOf } from "./device";
import { kernelFiles } from "./kernel";
import { systemTcl } from "./system";

/** The script of a project that goes from Verilog to a routed design. */
export const implementTcl = "implement.tcl";

/** Everything of a project for Vivado (or Vitis) beside the Verilog and the pins. Only commands of UG835 and UG994. */
export function projectFiles(request: ProjectRequest): ReadonlyMap<string, string> {
  const [link] = request.board.links;
  if (link?.kind === "pcie") return kernelFiles(request, link.platform);
  const implement = link?.kind === "axi" ? systemTcl(request, link.boardPart) : flatTcl(request);
  return new Map([
    [implementTcl, `${implement}${reportsTcl}`],
    ["bitstream.tcl", bitstreamTcl],
    ["Makefile", makefile],
    ["README.md", readme(request, link?.kind === "axi" ? aboutSystem(link.boardPart) : aboutTop)],
  ]);
}

/** Sources and pins in memory, without a project on disk. */
const flatTcl = ({ board, sources }: ProjectRequest) => `\
# ${board.name}: from Verilog to a routed design.
read_verilog {${sources.join(" ")}}
read_xdc top.xdc
synth_design -top top -part ${deviceOf(board)}
opt_design
place_design
phys_opt_design
route_design
`;

const reportsTcl = `\
report_utilization -file utilization.rpt
report_timing_summary -file timing.rpt
write_checkpoint -force routed.dcp
`;

const bitstreamTcl = `\
open_checkpoint routed.dcp
write_bitstream -force bitstream.bit
`;

const makefile = `\
VIVADO ?= vivado
RUN = $(VIVADO) -mode batch -nojournal -nolog -notrace -source

bitstream.bit: routed.dcp
\t$(RUN) bitstream.tcl

routed.dcp: implement.tcl $(wildcard *.v *.xdc)
\t$(RUN) implement.tcl
`;

function readme({ board, clockHz }: ProjectRequest, about: string): string {
  const { programmer } = board;
  const load =
    programmer?.id === "openfpgaloader"
      ? `\nLoad it with \`openFPGALoader ${programmer.args.join(" ").replace(/\$\{file\}/, "bitstream.bit")}\`, or with Vivado's hardware manager.\n`
      : "\nLoad it with Vivado's hardware manager.\n";
  return `\
# ${board.name}, ${clockHz / 1e6} MHz

Written by Boardwalk. The Verilog is the very text that was proven in simulation. Vivado must be on \`PATH\`; then

    make

leaves \`bitstream.bit\`, beside \`utilization.rpt\` and \`timing.rpt\`. A design whose timing report shows a negative
WNS must not be used: build it again in Boardwalk for a slower clock.
${load}
${about}`;
}

const aboutTop = `\
\`top.v\` is the board (reset, pads), \`clock.v\` its clock, \`shell.v\` the serial line, \`identity.v\` and \`tables.v\` who the design
is, \`core.v\` the model.
\`top.xdc\` binds the pins.
`;

const aboutSystem = (boardPart: string | null) => `\
The script draws a block design: the processor, AXI DMA for rows and answers, and the module \`boardwalk_axi\` (\`axi.v\`)
with the model's core. \`registers.json\` is the map of its registers; the base address is in the hardware description
\`boardwalk.xsa\`, which the script writes too.
${
  boardPart === null
    ? `
Missing: the name under which Vivado knows this board, and with it the settings of its memory and pins. The processor is
left as its boot image has set it up; only the clock and the ports of the fabric are asked for.
`
    : `
Vivado must know the board \`${boardPart}\` (its board files), or the script stops and says so.
`
}`;
