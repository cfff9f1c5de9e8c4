/** From line bytes to a checked frame: COBS, header, length, CRC. Payload bytes go to a memory as they come. */
export const frameReceiverSource = `\
// Takes the bytes of the line apart. \`done\` says that a whole frame came and its CRC is right; anything
// else is dropped without a word. After 2^IDLE_BITS clocks without a byte, half a frame is forgotten.
module shell_frame_receive #(parameter IDLE_BITS = 18) (
  input clk,
  input rst,
  input [7:0] line_data,
  input line_valid,
  input line_broken,
  input memory_taken,            // the payload memory still holds an earlier frame
  output write,
  output [15:0] write_address,
  output [7:0] write_data,
  output reg done,               // one cycle; the three below hold until the next frame begins
  output reg [7:0] first,
  output reg [7:0] sequence_number,
  output reg [15:0] length
);
  // Bytes are at least forty clocks apart, so every comparison has a register of its own.

  // COBS: a code byte n is followed by n - 1 bytes and then stands for a zero, unless n is 255.
  reg [7:0] remaining = 0;
  reg full = 0;
  reg open = 0;
  reg zero = 0;
  reg ones = 0;
  reg in_block = 0;
  wire delimiter = line_valid && zero;
  wire code = line_valid && !zero && !in_block;
  reg [IDLE_BITS:0] idle = 0;
  wire forget = idle[IDLE_BITS];
  reg clear = 0;
  reg ended = 0;
  reg decoded_valid = 0;
  reg [7:0] decoded = 0;

  always @(posedge clk) begin
    zero <= line_data == 8'h00;
    ones <= line_data == 8'hFF;
    in_block <= remaining != 0;
    decoded_valid <= line_valid && !zero && (in_block || (open && !full));
    ended <= delimiter && open && !in_block;
    clear <= rst || delimiter || forget;
    if (line_valid) begin
      decoded <= in_block ? line_data : 8'd0;
      remaining <= (in_block ? remaining : line_data) - 1'b1;
    end
    if (code) full <= ones;
    if (line_valid || line_broken) open <= 1'b1;
    if (clear) begin
      remaining <= 0;
      full <= 1'b0;
      open <= 1'b0;
    end
    idle <= idle + 1'b1;
    if (line_valid || line_broken || clear) idle <= 0;
  end

  // Header, payload, CRC.
  localparam PAYLOAD = 3'd4, CRC_HIGH = 3'd5, COMPLETE = 3'd6;
  reg parse = 0;
  reg [2:0] part = 0;
  reg [15:0] count = 0;
  reg [15:0] crc = 16'hFFFF;
  wire [15:0] crc_next;
  shell_crc16 crc16 (.crc(crc), .data(decoded), .next(crc_next));
  reg in_payload = 0;
  reg low_right = 0;
  reg high_right = 0;
  reg bad = 0;
  assign write = parse && in_payload && !memory_taken;
  assign write_address = count;
  assign write_data = decoded;

  always @(posedge clk) begin
    parse <= decoded_valid;
    in_payload <= part == PAYLOAD && count != length;
    low_right <= decoded == crc[7:0];
    high_right <= decoded == crc[15:8];
    done <= ended && part == COMPLETE && !bad;
    if (parse) begin
      if (part < PAYLOAD || in_payload) crc <= crc_next;
      if (in_payload) count <= count + 1'b1;
      else part <= part + 1'b1;
      case (part)
        3'd0: first <= decoded;
        3'd1: sequence_number <= decoded;
        3'd2: length[7:0] <= decoded;
        3'd3: length[15:8] <= decoded;
        PAYLOAD: if (in_payload ? memory_taken : !low_right) bad <= 1'b1;
        CRC_HIGH: if (!high_right) bad <= 1'b1;
        default: bad <= 1'b1; // more than the length said
      endcase
    end
    if (line_broken) bad <= 1'b1;
    if (clear) begin
      part <= 0;
      count <= 0;
      crc <= 16'hFFFF;
      bad <= 1'b0;
    end
  end
endmodule
`;
