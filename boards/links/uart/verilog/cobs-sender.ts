/** COBS on the way out: up to 254 bytes wait in a block RAM until the next zero is known. */
export const cobsSenderSource = `\
// Encodes a frame as it comes and ends it with the zero delimiter. The last byte is followed by one end mark.
module shell_cobs_send (
  input clk,
  input rst,
  input [7:0] data,
  input last,          // the end mark: data is ignored
  input valid,
  output ready,
  output [7:0] line_data,
  output line_valid,
  input line_ready
);
  localparam FILL = 3'd0, CODE = 3'd1, FETCH = 3'd2, COPY = 3'd3, DELIMITER = 3'd4;
  reg [2:0] state = FILL;
  reg [7:0] filled = 0;
  reg [7:0] sent = 0;
  reg ending = 0;

  reg [7:0] block [0:255];
  reg [7:0] fetched;
  wire full = filled == 8'd254;
  wire flush = full || last || data == 0;
  wire filling = state == FILL && valid;
  assign ready = state == FILL && (last || !full);

  always @(posedge clk) begin
    if (filling && !flush) block[filled] <= data;
    if (state == FETCH) fetched <= block[sent];
  end

  assign line_valid = state == CODE || state == COPY || state == DELIMITER;
  assign line_data = state == CODE ? filled + 1'b1 : state == COPY ? fetched : 8'd0;

  always @(posedge clk) begin
    case (state)
      FILL: if (valid) begin
        ending <= last;
        sent <= 0;
        if (flush) state <= CODE;
        else filled <= filled + 1'b1;
      end
      CODE: if (line_ready) begin
        if (filled != 0) state <= FETCH;
        else state <= ending ? DELIMITER : FILL;
      end
      FETCH: begin
        sent <= sent + 1'b1;
        state <= COPY;
      end
      COPY: if (line_ready) begin
        if (sent != filled) begin
          state <= FETCH;
        end else begin
          filled <= 0;
          state <= ending ? DELIMITER : FILL;
        end
      end
      default: if (line_ready) state <= FILL;
    endcase
    if (rst) begin
      state <= FILL;
      filled <= 0;
    end
  end
endmodule
`;
