import { word } from "./word";

/** Bytes on their way out of the core, to the stream or to a register. */
export const answersOut = `\
  // Out of the core: one byte waits for a stream or for a register's reader.
  reg held = 0, held_last = 0, held_streams = 0;
  reg [7:0] held_data = 0;
  reg in_answer = 0;
  reg truncate = 0; // the stream is owed an end
  assign m_axis_tdata = held_data;
  assign m_axis_tlast = held_last;
  assign m_axis_tvalid = held && held_streams;
  wire data_out_valid = held && !held_streams;
  wire data_out_read = read && read_word == ${word("data_out")} && data_out_valid;
  wire given = held && (held_streams ? m_axis_tready : data_out_read);
  wire core_out_ready = (!held || given) && !truncate && !resetting;
  wire out_taken = core_out_valid && core_out_ready;
  reg [31:0] cycles = 0, rows = 0, wrong_rows = 0;

`;

/** Takes a byte from the core when there is room, or ends an answer that a reset cut off. */
export const onAnswersOut = `\
    // Answers out.
    if (given) held <= 1'b0;
    if (out_taken) begin
      held <= 1'b1;
      held_data <= core_out_data;
      held_last <= core_out_last;
      held_streams <= !by_registers;
      in_answer <= !core_out_last;
      if (core_out_last) begin
        cycles <= core_cycles;
        rows <= rows + 1'b1;
      end
    end else if (truncate && (!held || given)) begin
      held <= 1'b1;
      held_data <= 8'b0;
      held_last <= 1'b1;
      held_streams <= 1'b1;
      truncate <= 1'b0;
    end

`;
