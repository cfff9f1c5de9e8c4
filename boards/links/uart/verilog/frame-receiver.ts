/** From line bytes to a checked frame: COBS, header, length, CRC. Payload bytes go to a memory as they come. */
export const frameReceiverSource = `\
// Takes the bytes of the line apart. \`done\` says that a whole frame came and its CRC is right; anything
// else is dropped without a word. After IDLE_CLOCKS without a byte, half a frame is forgotten.
module shell_frame_receive #(parameter IDLE_CLOCKS = 240000) (
  input clk,
  input rst,
  input [7:0] line_data,
  input line_valid,
  input line_broken,
  input memory_taken,            // the payload memory still holds an earlier frame
  output reg write,
  output reg [15:0] write_address,
  output reg [7:0] write_data,
  output reg done,               // one cycle; the three below hold until the next frame begins
  output reg [7:0] first,
  output reg [7:0] sequence_number,
  output reg [15:0] length
);
  localparam PAYLOAD = 3'd4, CRC_LOW = 3'd5, CRC_HIGH = 3'd6, COMPLETE = 3'd7;
  localparam IDLE_WIDTH = $clog2(IDLE_CLOCKS + 1);

  // COBS: a code byte n is followed by n - 1 bytes and then stands for a zero, unless n is 255.
  reg [7:0] remaining = 0;
  reg full = 0;
  reg open = 0;
  reg bad = 0;
  wire delimiter = line_valid && line_data == 0;
  wire in_block = remaining != 0;
  wire code = line_valid && !delimiter && !in_block;
  reg [IDLE_WIDTH-1:0] idle = 0;
  wire forget = idle == IDLE_CLOCKS;

  // One decoded byte, a cycle later.
  reg decoded_valid = 0;
  reg [7:0] decoded = 0;
  reg ended = 0;

  always @(posedge clk) begin
    decoded_valid <= 1'b0;
    ended <= 1'b0;
    if (rst || forget) begin
      remaining <= 0;
      full <= 1'b0;
      open <= 1'b0;
    end else if (delimiter) begin
      remaining <= 0;
      full <= 1'b0;
      open <= 1'b0;
      ended <= open && !in_block;
    end else if (line_valid) begin
      open <= 1'b1;
      remaining <= code ? line_data - 1'b1 : remaining - 1'b1;
      if (code) full <= line_data == 8'd255;
      decoded <= code ? 8'd0 : line_data;
      decoded_valid <= in_block || (open && !full);
    end else if (line_broken) begin
      open <= 1'b1;
    end
    idle <= (rst || line_valid || line_broken || forget || !open) ? 0 : idle + 1'b1;
  end

  // Header, payload, CRC.
  reg clear = 0;
  reg [2:0] part = 0;
  reg [15:0] left = 0;
  reg [15:0] crc = 16'hFFFF;
  wire [15:0] crc_next;
  shell_crc16 crc16 (.crc(crc), .data(decoded), .next(crc_next));

  always @(posedge clk) begin
    write <= 1'b0;
    done <= 1'b0;
    clear <= delimiter || forget;
    if (decoded_valid) begin
      write_data <= decoded;
      if (part < CRC_LOW) crc <= crc_next;
      case (part)
        3'd0: begin first <= decoded; part <= 3'd1; end
        3'd1: begin sequence_number <= decoded; part <= 3'd2; end
        3'd2: begin length[7:0] <= decoded; part <= 3'd3; end
        3'd3: begin
          length[15:8] <= decoded;
          left <= {decoded, length[7:0]};
          part <= {decoded, length[7:0]} == 0 ? CRC_LOW : PAYLOAD;
          write_address <= 16'hFFFF;
        end
        PAYLOAD: begin
          write <= !memory_taken;
          if (memory_taken) bad <= 1'b1;
          write_address <= write_address + 1'b1;
          left <= left - 1'b1;
          if (left == 1) part <= CRC_LOW;
        end
        CRC_LOW: begin
          if (decoded != crc[7:0]) bad <= 1'b1;
          part <= CRC_HIGH;
        end
        CRC_HIGH: begin
          if (decoded != crc[15:8]) bad <= 1'b1;
          part <= COMPLETE;
        end
        COMPLETE: bad <= 1'b1;
      endcase
    end
    if (line_broken) bad <= 1'b1;
    if (ended) done <= part == COMPLETE && !bad;
    if (rst || clear) begin
      part <= 0;
      crc <= 16'hFFFF;
      bad <= 1'b0;
    end
  end
endmodule
`;
