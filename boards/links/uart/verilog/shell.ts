/** The frame protocol around a core: identity, inference, errors. */
export const shellModuleSource = `\
// Carries one core over a serial line. A request reaches the core only after its CRC was found right.
// One request can wait while another is answered; what comes beyond that is dropped, for the host to repeat.
module shell #(
  parameter DIVIDER_BITS = 4, // of the clocks per bit of the line, which baud_divider has less one
  parameter IDLE_BITS = 18
) (
  input clk,
  input rst,
  input rx,
  output tx
);
  localparam VERSION = 4'd1;
  localparam IDENTITY_REQUEST = 4'd1, IDENTITY = 4'd2, INFER = 4'd3, RESULT = 4'd4, ERROR = 4'd5;
  localparam WRONG_VERSION = 2'd1, WRONG_KIND = 2'd2, WRONG_LENGTH = 2'd3;
  localparam IDENTITY_BYTES = 48;

  wire [DIVIDER_BITS-1:0] last_clock;
  baud_divider divider (.last_clock(last_clock));

  // From the line to a request in memory.
  wire [7:0] received;
  wire received_valid, received_broken;
  shell_uart_receive #(.WIDTH(DIVIDER_BITS)) receiver (
    .clk(clk), .rst(rst), .last_clock(last_clock), .rx(rx), .data(received), .valid(received_valid), .broken(received_broken)
  );

  reg held = 0;
  wire write, done;
  wire [15:0] write_address, length;
  wire [7:0] write_data, first, sequence_number;
  shell_frame_receive #(.IDLE_BITS(IDLE_BITS)) frames (
    .clk(clk), .rst(rst),
    .line_data(received), .line_valid(received_valid), .line_broken(received_broken),
    .memory_taken(held),
    .write(write), .write_address(write_address), .write_data(write_data),
    .done(done), .first(first), .sequence_number(sequence_number), .length(length)
  );

  reg [15:0] read_address = 0;
  wire [7:0] read_data;
  wire read_last;
  request_memory memory (
    .clk(clk), .write(write), .write_address(write_address), .write_data(write_data),
    .read_address(read_address), .read_data(read_data), .read_last(read_last)
  );

  reg [5:0] offset = 0;
  wire [7:0] identity_data;
  wire [15:0] input_bytes, output_bytes;
  identity identity (
    .address(offset), .data(identity_data),
    .input_bytes(input_bytes), .output_bytes(output_bytes)
  );

  // What a checked frame asks for.
  reg [3:0] asked = 0;
  reg [1:0] asked_code = 0;
  reg [7:0] asked_sequence = 0;
  wire right_version = first[7:4] == VERSION;
  wire asks_identity = first[3:0] == IDENTITY_REQUEST;
  wire asks_result = first[3:0] == INFER;
  reg fits = 0;
  reg empty = 0;
  wire acceptable = right_version && ((asks_identity && empty) || (asks_result && fits));

  // The core.
  reg present = 0;
  wire core_in_ready, core_out_valid, core_out_last;
  reg core_out_ready = 0;
  wire [7:0] core_out_data;
  wire [31:0] cycles;
  core core (
    .clk(clk), .rst(rst),
    .in_valid(present), .in_ready(core_in_ready), .in_data(read_data), .in_last(read_last),
    .out_valid(core_out_valid), .out_ready(core_out_ready),
    .out_data(core_out_data), .out_last(core_out_last),
    .cycles(cycles)
  );

  // The answer, byte by byte.
  localparam IDLE = 3'd0, FEED = 3'd1, LOAD = 3'd2, OFFER = 3'd3, STEP = 3'd4;
  localparam PAYLOAD = 3'd4, CRC_LOW = 3'd5, CRC_HIGH = 3'd6, END = 3'd7;
  reg [2:0] state = IDLE;
  reg [2:0] part = 0;
  reg [3:0] kind = 0;
  reg [1:0] code = 0;
  reg counted = 0; // the core has answered, its cycle count follows
  reg [7:0] outgoing = 0;
  reg outgoing_last = 0;
  reg payload_last = 0;
  reg [15:0] crc = 16'hFFFF;
  wire [15:0] crc_next;
  shell_crc16 crc16 (.crc(crc), .data(outgoing), .next(crc_next));
  wire [15:0] answer_length = kind == RESULT ? output_bytes + 16'd4 : kind == IDENTITY ? IDENTITY_BYTES : 1;
  reg [7:0] identity_byte = 0; // both registered: their address is stable from one byte to the next
  reg [7:0] cycles_byte = 0;
  wire taken;
  wire [7:0] line_data;
  wire line_valid, line_ready;

  shell_cobs_send encoder (
    .clk(clk), .rst(rst),
    .data(outgoing), .last(outgoing_last), .valid(state == OFFER), .ready(taken),
    .line_data(line_data), .line_valid(line_valid), .line_ready(line_ready)
  );
  shell_uart_send #(.WIDTH(DIVIDER_BITS)) sender (
    .clk(clk), .rst(rst), .last_clock(last_clock), .data(line_data), .valid(line_valid), .ready(line_ready), .tx(tx)
  );

  always @(posedge clk) begin
    identity_byte <= identity_data;
    cycles_byte <= cycles[{offset[1:0], 3'b000} +: 8];
    fits <= length == input_bytes;
    empty <= length == 0;
    if (done && !held) begin
      held <= 1'b1;
      asked <= !acceptable ? ERROR : asks_result ? RESULT : IDENTITY;
      asked_code <= !right_version ? WRONG_VERSION : !(asks_identity || asks_result) ? WRONG_KIND : WRONG_LENGTH;
      asked_sequence <= sequence_number;
    end
    case (state)
      IDLE: begin
        kind <= asked;
        code <= asked_code;
        part <= 0;
        offset <= 0;
        counted <= 1'b0;
        crc <= 16'hFFFF;
        read_address <= 0;
        present <= 1'b0;
        if (held) state <= asked == RESULT ? FEED : LOAD;
      end
      FEED: begin
        // The memory answers a cycle after its address, so every other cycle presents a byte.
        present <= !present || !core_in_ready;
        if (present && core_in_ready) begin
          read_address <= read_address + 1'b1;
          if (read_last) state <= LOAD;
        end
      end
      LOAD: begin
        case (part)
          3'd0: outgoing <= {VERSION, kind};
          3'd1: begin
            outgoing <= asked_sequence;
            held <= 1'b0; // nothing of the request is needed any more
          end
          3'd2: outgoing <= answer_length[7:0];
          3'd3: outgoing <= answer_length[15:8];
          PAYLOAD: begin
            if (kind == IDENTITY) outgoing <= identity_byte;
            else if (kind == ERROR) outgoing <= code;
            else if (!counted) outgoing <= core_out_data;
            else outgoing <= cycles_byte;
          end
          CRC_LOW: outgoing <= crc[7:0];
          default: outgoing <= crc[15:8];
        endcase
        outgoing_last <= part == END;
        payload_last <= kind == ERROR
          || (kind == IDENTITY && offset == IDENTITY_BYTES - 1)
          || (kind == RESULT && counted && offset == 3);
        if (!core_out_ready) begin
          state <= OFFER;
          if (part == PAYLOAD) offset <= offset + 1'b1;
        end else if (core_out_valid) begin
          state <= OFFER;
          counted <= core_out_last;
          core_out_ready <= 1'b0;
        end
      end
      OFFER: if (taken) begin
        state <= outgoing_last ? IDLE : STEP;
        if (part <= PAYLOAD) crc <= crc_next;
        if (part != PAYLOAD || payload_last) part <= part + 1'b1;
      end
      STEP: begin
        state <= LOAD;
        core_out_ready <= part == PAYLOAD && kind == RESULT && !counted;
      end
    endcase
    if (rst) begin
      state <= IDLE;
      held <= 1'b0;
      present <= 1'b0;
      core_out_ready <= 1'b0;
    end
  end
endmodule
`;
