import { axiMagic, axiOffsets, axiVersion } from "./registers";

const word = (name: keyof typeof axiOffsets) => `10'd${axiOffsets[name] / 4}`;

/**
 * `axi.v`: Verilog-2005 with the module `boardwalk_axi`, the same text for every core. AXI4-Lite registers and two
 * AXI4-Streams around `core`; it takes the module `identity` of `renderIdentity` too.
 *
 * Rows come by the stream `s_axis` and leave by `m_axis`, a byte a transfer; or, if `control.data` is set, by registers.
 * A reset by register ends an answer that was begun with one byte 0 marked as last, since what a stream offered must
 * stay; and drops the rest of a row that was begun, up to its last byte. Without such a rest, reset a second time.
 *
 * @see Arm IHI 0022 (AXI4-Lite) and IHI 0051 (AXI4-Stream)
 */
export function axiSource(): string {
  return `\
// One core behind AXI4-Lite registers and two AXI4-Streams. All of it runs on aclk; aresetn is synchronous.
module boardwalk_axi (
  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
  (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi:s_axis:m_axis, ASSOCIATED_RESET aresetn" *)
  input aclk,
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input aresetn,
  input [11:0] s_axi_awaddr,
  input [2:0] s_axi_awprot,
  input s_axi_awvalid,
  output s_axi_awready,
  input [31:0] s_axi_wdata,
  input [3:0] s_axi_wstrb,
  input s_axi_wvalid,
  output s_axi_wready,
  output reg [1:0] s_axi_bresp,
  output reg s_axi_bvalid,
  input s_axi_bready,
  input [11:0] s_axi_araddr,
  input [2:0] s_axi_arprot,
  input s_axi_arvalid,
  output s_axi_arready,
  output reg [31:0] s_axi_rdata,
  output reg [1:0] s_axi_rresp,
  output reg s_axi_rvalid,
  input s_axi_rready,
  input [7:0] s_axis_tdata,
  input s_axis_tlast,
  input s_axis_tvalid,
  output s_axis_tready,
  output [7:0] m_axis_tdata,
  output m_axis_tlast,
  output m_axis_tvalid,
  input m_axis_tready
);
  localparam OKAY = 2'b00, SLVERR = 2'b10;

  // Address and data of a write come in any order; each waits for the other.
  reg address_held = 0, data_held = 0;
  reg [9:0] write_word = 0;
  reg [31:0] write_data = 0;
  reg [3:0] write_bytes = 0;
  assign s_axi_awready = !address_held;
  assign s_axi_wready = !data_held;
  wire write = address_held && data_held && !s_axi_bvalid;
  wire low_byte = write && write_bytes[0];

  reg read_held = 0;
  reg [9:0] read_word = 0;
  assign s_axi_arready = !read_held;
  wire read = read_held && !s_axi_rvalid;

  // Registers that a host writes.
  reg by_registers = 0, by_registers_before = 0;
  reg wrong_length = 0;
  reg restart = 0;
  reg [3:0] reset_left = 4'd15;
  wire core_rst = |reset_left;
  wire resetting = restart || core_rst;

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

  core core (
    .clk(aclk), .rst(core_rst),
    .in_valid(in_valid), .in_ready(core_in_ready), .in_data(in_data), .in_last(in_last),
    .out_valid(core_out_valid), .out_ready(core_out_ready),
    .out_data(core_out_data), .out_last(core_out_last),
    .cycles(core_cycles)
  );

  wire [6:0] identity_at = {read_word[4:0] - 5'd${axiOffsets.identity / 4}, 2'b00};
  wire [31:0] identity_word;
  identity identity_0 (.address(identity_at), .data(identity_word[7:0]), .input_bytes(input_bytes), .output_bytes(output_bytes));
  identity identity_1 (.address(identity_at | 7'd1), .data(identity_word[15:8]), .input_bytes(), .output_bytes());
  identity identity_2 (.address(identity_at | 7'd2), .data(identity_word[23:16]), .input_bytes(), .output_bytes());
  identity identity_3 (.address(identity_at | 7'd3), .data(identity_word[31:24]), .input_bytes(), .output_bytes());

  always @(posedge aclk) begin
    // Writes.
    if (s_axi_awvalid && s_axi_awready) begin
      address_held <= 1'b1;
      write_word <= s_axi_awaddr[11:2];
    end
    if (s_axi_wvalid && s_axi_wready) begin
      data_held <= 1'b1;
      write_data <= s_axi_wdata;
      write_bytes <= s_axi_wstrb;
    end
    if (s_axi_bvalid && s_axi_bready) s_axi_bvalid <= 1'b0;
    restart <= 1'b0;
    by_registers_before <= by_registers;
    if (write) begin
      address_held <= 1'b0;
      data_held <= 1'b0;
      s_axi_bvalid <= 1'b1;
      s_axi_bresp <= SLVERR;
      case (write_word)
        ${word("control")}: begin
          s_axi_bresp <= OKAY;
          if (low_byte) begin
            restart <= write_data[0] || write_data[1] != by_registers;
            by_registers <= write_data[1];
          end
        end
        ${word("status")}: s_axi_bresp <= OKAY;
        ${word("data_in")}: if (data_in_ready && write_bytes[1:0] == 2'b11) s_axi_bresp <= OKAY;
        default: ;
      endcase
    end

    // Reads.
    if (s_axi_arvalid && s_axi_arready) begin
      read_held <= 1'b1;
      read_word <= s_axi_araddr[11:2];
    end
    if (s_axi_rvalid && s_axi_rready) s_axi_rvalid <= 1'b0;
    if (read) begin
      read_held <= 1'b0;
      s_axi_rvalid <= 1'b1;
      s_axi_rresp <= OKAY;
      case (read_word)
        ${word("magic")}: s_axi_rdata <= 32'd${axiMagic};
        ${word("version")}: s_axi_rdata <= 32'd${axiVersion};
        ${word("control")}: s_axi_rdata <= {30'b0, by_registers, 1'b0};
        ${word("status")}: s_axi_rdata <= {25'b0, wrong_length, discarding, resetting, in_answer, |in_count, data_out_valid, data_in_ready};
        ${word("cycles")}: s_axi_rdata <= cycles;
        ${word("rows")}: s_axi_rdata <= rows;
        ${word("wrong_rows")}: s_axi_rdata <= wrong_rows;
        ${word("input_bytes")}: s_axi_rdata <= input_bytes;
        ${word("output_bytes")}: s_axi_rdata <= output_bytes;
        ${word("data_out")}: s_axi_rdata <= data_out_valid ? {22'b0, 1'b1, held_last, held_data} : 32'b0;
        default: begin
          s_axi_rdata <= 32'b0;
          if (read_word >= ${word("identity")} && read_word < 10'd${axiOffsets.identity / 4 + 12}) s_axi_rdata <= identity_word;
          else s_axi_rresp <= SLVERR;
        end
      endcase
    end

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

    // A reset by register: the core forgets, streams keep their word.
    if (core_rst) reset_left <= reset_left - 1'b1;
    if (restart) begin
      reset_left <= 4'd15;
      waiting <= 1'b0;
      in_count <= 16'd0;
      right_length <= 1'b0;
      discarding <= !by_registers_before && |in_count || discarding && by_registers != by_registers_before;
      wrong_length <= 1'b0;
      in_answer <= 1'b0;
      rows <= 32'd0;
      wrong_rows <= 32'd0;
      cycles <= 32'd0;
      if (held && !held_streams) held <= 1'b0;
      truncate <= truncate && held && !given || in_answer && held_streams;
    end

    if (!aresetn) begin
      address_held <= 1'b0;
      data_held <= 1'b0;
      read_held <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
      by_registers <= 1'b0;
      restart <= 1'b0;
      reset_left <= 4'd15;
      waiting <= 1'b0;
      in_count <= 16'd0;
      right_length <= 1'b0;
      discarding <= 1'b0;
      wrong_length <= 1'b0;
      held <= 1'b0;
      in_answer <= 1'b0;
      truncate <= 1'b0;
      rows <= 32'd0;
      wrong_rows <= 32'd0;
      cycles <= 32'd0;
    end
  end

  initial begin
    s_axi_bvalid = 1'b0;
    s_axi_rvalid = 1'b0;
  end
endmodule
`;
}
