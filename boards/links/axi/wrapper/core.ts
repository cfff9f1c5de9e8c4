import { axiOffsets } from "../registers";

/** The core, and its identity by four bytes at a time. */
export const coreAndIdentity = `\
  core core (
    .clk(aclk), .rst(core_rst),
    .in_valid(in_valid), .in_ready(core_in_ready), .in_data(in_data), .in_last(in_last),
    .out_valid(core_out_valid), .out_ready(core_out_ready),
    .out_data(core_out_data), .out_last(core_out_last),
    .cycles(core_cycles)
  );

  wire [5:0] identity_at = {read_word[3:0] - 4'd${(axiOffsets.identity / 4) % 16}, 2'b00};
  wire [31:0] identity_word;
  identity identity_0 (.address(identity_at), .data(identity_word[7:0]), .input_bytes(input_bytes), .output_bytes(output_bytes));
  identity identity_1 (.address(identity_at | 6'd1), .data(identity_word[15:8]), .input_bytes(), .output_bytes());
  identity identity_2 (.address(identity_at | 6'd2), .data(identity_word[23:16]), .input_bytes(), .output_bytes());
  identity identity_3 (.address(identity_at | 6'd3), .data(identity_word[31:24]), .input_bytes(), .output_bytes());

`;
