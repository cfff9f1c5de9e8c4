/** The ports of every module `core`, as `docs/compiler.md` lists them. @param cycles Whether a register drives the count. */
export const corePorts = (cycles: "reg" | "wire"): string => `\
module core (
  input clk,
  input rst,
  input in_valid,
  output in_ready,
  input [7:0] in_data,
  input in_last,
  output reg out_valid,
  input out_ready,
  output [7:0] out_data,
  output out_last,
  output ${cycles === "reg" ? "reg " : ""}[31:0] cycles
);
`;
