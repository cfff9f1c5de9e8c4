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
  localparam FILL = 3'd0, JUDGE = 3'd1, CODE = 3'd2, FETCH = 3'd3, SETTLE = 3'd4, COPY = 3'd5, DELIMITER = 3'd6;
  reg [2:0] state = FILL;
  reg [7:0] code = 1;  // one more than the bytes that wait
  reg full = 0;        // code is 255
  reg [7:0] next = 1;
  reg at_end = 0;      // next is code, a cycle ago
  reg ending = 0;

  (* no_rw_check *) reg [7:0] block [0:255];
  reg [7:0] fetched;
  reg zero = 0;
  wire flush = full || last || zero;
  assign ready = state == JUDGE && (last || !full);

  always @(posedge clk) begin
    if (state == JUDGE && !flush) block[code] <= data;
    if (state == FETCH) fetched <= block[next];
  end

  assign line_valid = state == CODE || state == COPY || state == DELIMITER;
  assign line_data = state == CODE ? code : state == COPY ? fetched : 8'd0;
  wire block_sent = line_ready && (state == CODE || state == COPY) && at_end;

  always @(posedge clk) begin
    at_end <= next == code;
    zero <= data == 0;
    case (state)
      FILL: if (valid) state <= JUDGE;
      JUDGE: begin
        ending <= last;
        if (flush) begin
          state <= CODE;
        end else begin
          state <= FILL;
          code <= code + 1'b1;
          full <= code == 8'd254;
        end
      end
      FETCH: begin
        next <= next + 1'b1;
        state <= SETTLE;
      end
      SETTLE: state <= COPY;
      DELIMITER: if (line_ready) state <= FILL;
      default: if (line_ready) state <= FETCH;
    endcase
    if (block_sent) state <= ending ? DELIMITER : FILL;
    if (rst || block_sent) begin
      code <= 1;
      next <= 1;
      full <= 1'b0;
    end
    if (rst) state <= FILL;
  end
endmodule
`;
