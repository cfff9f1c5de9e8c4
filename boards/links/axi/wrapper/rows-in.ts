import { word } from "./word";

/** Bytes on their way into the core, by the stream or by a register. */
export const rowsIn = `\
  // A byte that came by register waits here for the core.
  reg waiting = 0, waiting_last = 0;
  reg [7:0] waiting_data = 0;
  wire data_in_ready = by_registers && !waiting && !resetting;

  // Into the core: its ready never depends on what is offered.
  wire core_in_ready, core_out_valid, core_out_last;
  wire [7:0] core_out_data;
  wire [31:0] core_cycles;
  wire [15:0] input_bytes, output_bytes;
  reg discarding = 0;
  wire streams_in = !by_registers && !resetting;
  assign s_axis_tready = streams_in && (discarding || core_in_ready);
  wire stream_taken = s_axis_tvalid && s_axis_tready;
  wire in_valid = by_registers ? waiting && !resetting : s_axis_tvalid && streams_in && !discarding;
  wire in_last = by_registers ? waiting_last : s_axis_tlast;
  wire [7:0] in_data = by_registers ? waiting_data : s_axis_tdata;
  wire in_taken = in_valid && core_in_ready;
  reg [15:0] in_count = 0;
  reg right_length = 0; // the next byte is where a row ends

`;

/** Counts the bytes of a row, and says which rows have the wrong length. */
export const onRowsIn = `\
    // Rows in.
    if (in_taken && by_registers) waiting <= 1'b0;
    if (write && write_word == ${word("data_in")} && data_in_ready && write_bytes[1:0] == 2'b11) begin
      waiting <= 1'b1;
      waiting_data <= write_data[7:0];
      waiting_last <= write_data[8];
    end
    if (low_byte && write_word == ${word("status")} && write_data[6]) wrong_length <= 1'b0;
    if (in_taken) begin
      in_count <= in_last ? 16'd0 : &in_count ? in_count : in_count + 1'b1;
      if (in_last && !right_length) begin
        wrong_length <= 1'b1;
        wrong_rows <= wrong_rows + 1'b1;
      end
    end
    right_length <= in_taken
      ? (in_last ? input_bytes == 16'd1 : in_count + 16'd2 == input_bytes)
      : in_count + 16'd1 == input_bytes;
    if (stream_taken && discarding && s_axis_tlast) discarding <= 1'b0;

`;
