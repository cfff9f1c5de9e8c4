import { word } from "./word";

/** Holds the address and the data of a write until both are here. */
export const writeChannels = `\
  // Address and data of a write come in any order; each waits for the other.
  reg address_held = 0, data_held = 0;
  reg [9:0] write_word = 0;
  reg [31:0] write_data = 0;
  reg [3:0] write_bytes = 0;
  assign s_axi_awready = !address_held;
  assign s_axi_wready = !data_held;
  wire write = address_held && data_held && !s_axi_bvalid;
  wire low_byte = write && write_bytes[0];

`;

/** Answers a write, and sets what it sets of `control`. */
export const onWrite = `\
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

`;
