import type { BoardModel } from "../../schema";
import type { PinUse, ProjectRequest } from "../family";

const sources = ["top.v", "shell.v", "identity.v", "core.v", "clock.v", "tables.v"];

function deviceOf({ part: { flow, name } }: BoardModel): string {
  if (flow.kind !== "quartus") throw new RangeError(`${name} is no part of Quartus's.`);
  return flow.device;
}

/** The settings file of the project, pins and all. */
export function constraintsOf(board: BoardModel, pins: readonly PinUse[]) {
  const assign = (name: string, value: string) => `set_global_assignment -name ${name} ${value}\n`;
  return {
    file: "boardwalk.qsf",
    text: [
      assign("FAMILY", '"Cyclone V"'),
      assign("DEVICE", deviceOf(board)),
      assign("TOP_LEVEL_ENTITY", "top"),
      assign("PROJECT_OUTPUT_DIRECTORY", "."),
      ...sources.map((file) => assign("VERILOG_FILE", file)),
      assign("SDC_FILE", "top.sdc"),
      ...pins.flatMap(({ port, pin, ioStandard }) => [
        `set_location_assignment PIN_${pin} -to ${port}\n`,
        `set_instance_assignment -name IO_STANDARD "${ioStandard ?? board.ioStandard}" -to ${port}\n`,
      ]),
    ].join(""),
  };
}

/** Everything of a Quartus project beside the Verilog and the settings file. */
export function projectFiles({ board, clockHz }: ProjectRequest): ReadonlyMap<string, string> {
  const [crystal] = board.clocks;
  const periodNs = (1e9 / (crystal?.hz ?? clockHz)).toFixed(3);
  return new Map([
    ["boardwalk.qpf", 'PROJECT_REVISION = "boardwalk"\n'],
    [
      "top.sdc",
      `\
create_clock -name clock -period ${periodNs} [get_ports {clock}]
derive_clock_uncertainty
set_false_path -from [get_ports {rx}]
set_false_path -to [get_ports {tx led*}]
`,
    ],
    [
      "Makefile",
      `\
QUARTUS_SH ?= quartus_sh
QUARTUS_CPF ?= quartus_cpf

bitstream.rbf: boardwalk.sof
\t$(QUARTUS_CPF) -c boardwalk.sof bitstream.rbf

boardwalk.sof: boardwalk.qsf boardwalk.qpf top.sdc $(wildcard *.v)
\t$(QUARTUS_SH) --flow compile boardwalk
`,
    ],
    [
      "README.md",
      `\
# ${board.name}, ${clockHz / 1e6} MHz

Written by Boardwalk. The Verilog is the very text that was proven in simulation. Quartus must be on \`PATH\`; then

    make

leaves \`boardwalk.sof\` and \`bitstream.rbf\`, beside \`boardwalk.fit.summary\` and \`boardwalk.sta.summary\`. A design whose
timing summary shows a negative slack must not be used: build it again in Boardwalk for a slower clock.

Load it with \`openFPGALoader ${(board.programmer?.args ?? []).join(" ").replace(/\$\{file\}/, "bitstream.rbf")}\`.

\`top.v\` is the board (reset, pads), \`clock.v\` its clock, \`shell.v\` the serial line, \`identity.v\` and \`tables.v\` who the design
is, \`core.v\` the model.
\`boardwalk.qsf\` binds the pins.
`,
    ],
  ]);
}
