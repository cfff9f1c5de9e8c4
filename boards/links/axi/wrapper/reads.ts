import { axiMagic, axiOffsets, axiVersion } from "../registers";
import { word } from "./word";

/** Holds the address of a read until it is answered. */
export const readChannel = `\
  reg read_held = 0;
  reg [9:0] read_word = 0;
  assign s_axi_arready = !read_held;
  wire read = read_held && !s_axi_rvalid;

`;

/** Answers a read with its register. */
export const onRead = `\
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

`;
