import { axiKernel } from "../../links/axi";
import type { ProjectRequest } from "../family";
import { deviceOf } from "./device";

/** A card's project: the core as a user-managed RTL kernel for XRT, packaged by Vivado and linked by Vitis (UG1393). */
export function kernelFiles(
  { board, clockHz, sources }: ProjectRequest,
  platform: string,
): ReadonlyMap<string, string> {
  return new Map([
    ["kernel.v", kernelVerilog],
    [
      "package.tcl",
      `\
# ${board.name}: packages the kernel.
create_project -force kernel ./kernel -part ${deviceOf(board)}
add_files -norecurse {kernel.v ${sources.join(" ")}}
set_property top ${axiKernel} [current_fileset]
update_compile_order -fileset sources_1
ipx::package_project -root_dir ./ip -vendor boardwalk -library kernel -taxonomy /UserIP -import_files -set_current true
ipx::associate_bus_interfaces -busif s_axi_control -clock ap_clk [ipx::current_core]
set_property sdx_kernel true [ipx::current_core]
set_property sdx_kernel_type rtl [ipx::current_core]
ipx::update_checksums [ipx::current_core]
ipx::check_integrity -kernel [ipx::current_core]
ipx::save_core [ipx::current_core]
package_xo -force -xo_path boardwalk.xo -kernel_name ${axiKernel} -ip_directory ./ip -ctrl_protocol user_managed
`,
    ],
    [
      "Makefile",
      `\
VIVADO ?= vivado
VPP ?= v++
PLATFORM ?= ${platform}

boardwalk.xclbin: boardwalk.xo
\t$(VPP) -l -t hw --platform $(PLATFORM) --kernel_frequency ${clockHz / 1e6} -o $@ boardwalk.xo

boardwalk.xo: package.tcl $(wildcard *.v)
\t$(VIVADO) -mode batch -nojournal -nolog -notrace -source package.tcl
`,
    ],
    [
      "README.md",
      `\
# ${board.name}, ${clockHz / 1e6} MHz

Written by Boardwalk. The Verilog is the very text that was proven in simulation. Vivado, \`v++\` of Vitis and the
platform \`${platform}\` must be installed; then

    make

leaves \`boardwalk.xclbin\`, for XRT to load. Linking for a card takes hours.

\`kernel.v\` gives \`boardwalk_axi\` (\`axi.v\`) the ports of a kernel: the platform makes the clock, and its registers are
all there is, since these platforms bring no streams from the host. \`registers.json\` is their map; with
\`xrt::ip::write_register\` and \`read_register\` set \`control.data\`, write a row to \`data_in\`, read the answer from \`data_out\`.
${
  board.clocks.length === 0
    ? "\nMissing for a design without the platform: the pins of its clock, reset and PCIe lanes.\n"
    : "\nMissing for a design without the platform: the pins of the PCIe lanes and their reference clock.\n"
}`,
    ],
  ]);
}

const control = [
  "awaddr awprot awvalid awready wdata wstrb wvalid wready bresp bvalid bready",
  "araddr arprot arvalid arready rdata rresp rvalid rready",
].flatMap((line) => line.split(" "));

const widths: Readonly<Record<string, number>> = {
  ...{ awaddr: 12, araddr: 12, awprot: 3, arprot: 3, wdata: 32, rdata: 32, wstrb: 4 },
  ...{ bresp: 2, rresp: 2 },
};
const outputs = new Set([
  "awready",
  "wready",
  "bresp",
  "bvalid",
  "arready",
  "rdata",
  "rresp",
  "rvalid",
]);

const kernelVerilog = `\
// The names that kernels have: registers only, no streams.
module ${axiKernel} (
  input ap_clk,
  input ap_rst_n,
${control
  .map((name) => {
    const width = widths[name];
    const range = width === undefined ? "" : `[${width - 1}:0] `;
    return `  ${outputs.has(name) ? "output" : "input"} ${range}s_axi_control_${name}`;
  })
  .join(",\n")}
);
  boardwalk_axi wrapper (
    .aclk(ap_clk), .aresetn(ap_rst_n),
${control.map((name) => `    .s_axi_${name}(s_axi_control_${name}),\n`).join("")}\
    .s_axis_tdata(8'b0), .s_axis_tlast(1'b0), .s_axis_tvalid(1'b0), .s_axis_tready(),
    .m_axis_tdata(), .m_axis_tlast(), .m_axis_tvalid(), .m_axis_tready(1'b0)
  );
endmodule
`;
