import type { ProjectRequest } from "../family";
import { deviceOf } from "./device";

/** What differs between the processors of the 7 series and of UltraScale+. Sources: AMD PG082 and PG201. */
const processors = {
  xc7: {
    ip: "processing_system7",
    settings: (mhz: number) =>
      `CONFIG.PCW_USE_M_AXI_GP0 {1} CONFIG.PCW_USE_S_AXI_HP0 {1} CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ {${mhz}}`,
    external: 'make_external "FIXED_IO, DDR" ',
    registersFrom: "M_AXI_GP0",
    memoryAt: "S_AXI_HP0",
    clock: "FCLK_CLK0",
  },
  xcup: {
    ip: "zynq_ultra_ps_e",
    settings: (mhz: number) =>
      `CONFIG.PSU__USE__M_AXI_GP0 {1} CONFIG.PSU__USE__M_AXI_GP1 {0} CONFIG.PSU__USE__S_AXI_GP2 {1} CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ {${mhz}}`,
    external: "",
    registersFrom: "M_AXI_HPM0_FPD",
    memoryAt: "S_AXI_HP0_FPD",
    clock: "pl_clk0",
  },
} as const;

/**
 * Tcl of a system: processor, AXI DMA (PG021) and the wrapper as a module of the block design, connected by Vivado's own
 * automation rules, then built as a project.
 */
export function systemTcl(
  { board, clockHz, sources }: ProjectRequest,
  boardPart: string | null,
): string {
  const { flow } = board.part;
  if (flow.kind !== "vivado") throw new RangeError(`${board.part.name} has no processor.`);
  const { ip, settings, external, registersFrom, memoryAt, clock } = processors[flow.synthesis];
  const automation = (master: string, slave: string, on: string) =>
    `apply_bd_automation -rule xilinx.com:bd_rule:axi4 -config { Clk_master {/ps/${clock}} Clk_slave {/ps/${clock}} Clk_xbar {/ps/${clock}} Master {${master}} Slave {${slave}} ddr_seg {Auto} intc_ip {New AXI SmartConnect} master_apm {0} } [get_bd_intf_pins ${on}]\n`;
  return `\
# ${board.name}: a system of processor, DMA and boardwalk_axi, from Verilog to a routed design.
create_project -force boardwalk ./vivado -part ${deviceOf(board)}
${
  boardPart === null
    ? ""
    : `\
if {[llength [get_board_parts -quiet ${boardPart}]] == 0} {
  error "Vivado does not know the board ${boardPart}: install its board files."
}
set_property board_part ${boardPart} [current_project]
`
}\
add_files -norecurse {${sources.join(" ")}}
update_compile_order -fileset sources_1
create_bd_design system
create_bd_cell -type ip -vlnv xilinx.com:ip:${ip} ps
apply_bd_automation -rule xilinx.com:bd_rule:${ip === "processing_system7" ? ip : "zynq_ultra_ps_e"} -config { ${external}apply_board_preset "${boardPart === null ? 0 : 1}" } [get_bd_cells ps]
set_property -dict [list ${settings(clockHz / 1e6)}] [get_bd_cells ps]
create_bd_cell -type module -reference boardwalk_axi boardwalk
create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma dma
set_property -dict [list CONFIG.c_include_sg {0} CONFIG.c_sg_include_stscntrl_strm {0} CONFIG.c_m_axis_mm2s_tdata_width {8} CONFIG.c_include_mm2s_dre {1} CONFIG.c_include_s2mm_dre {1}] [get_bd_cells dma]
connect_bd_intf_net [get_bd_intf_pins dma/M_AXIS_MM2S] [get_bd_intf_pins boardwalk/s_axis]
connect_bd_intf_net [get_bd_intf_pins boardwalk/m_axis] [get_bd_intf_pins dma/S_AXIS_S2MM]
${automation(`/ps/${registersFrom}`, "/boardwalk/s_axi", "boardwalk/s_axi")}\
${automation(`/ps/${registersFrom}`, "/dma/S_AXI_LITE", "dma/S_AXI_LITE")}\
${automation("/dma/M_AXI_MM2S", `/ps/${memoryAt}`, `ps/${memoryAt}`)}\
${automation("/dma/M_AXI_S2MM", `/ps/${memoryAt}`, "dma/M_AXI_S2MM")}\
assign_bd_address
validate_bd_design
save_bd_design
make_wrapper -files [get_files system.bd] -top -import
set_property top system_wrapper [current_fileset]
update_compile_order -fileset sources_1
launch_runs impl_1
wait_on_runs impl_1
if {[get_property PROGRESS [get_runs impl_1]] != "100%"} { error "Implementation failed: see the run's log." }
open_run impl_1
write_hw_platform -fixed -force -file boardwalk.xsa
`;
}
