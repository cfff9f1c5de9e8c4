/** One byte of CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF), without a clock. */
export const crcSource = `\
// CRC-16/CCITT-FALSE after one more byte.
module shell_crc16 (
  input [15:0] crc,
  input [7:0] data,
  output [15:0] next
);
  wire [7:0] mixed = crc[15:8] ^ data;
  wire [7:0] folded = mixed ^ {4'b0000, mixed[7:4]};
  assign next = {crc[7:0], 8'b0} ^ {folded[3:0], 12'b0} ^ {3'b0, folded, 5'b0} ^ {8'b0, folded};
endmodule
`;
