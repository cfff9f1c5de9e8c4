/**
 * A module `top` with a memory of every shape that designs have and then some, and products: inputs `address`, `other`,
 * `data`, `write`, and one wide output. What is read is old where the same edge writes it.
 */
export const mappedTrial = `\
module top (
  input clock, input [13:0] address, other, input [31:0] data, input [3:0] write, output [169:0] shown
);
  reg [15:0] read_only [0:511];
  reg [29:0] wide_only [0:255];
  reg [7:0] octets [0:1023];
  reg [3:0] quads [0:4095];
  reg [15:0] halves [0:511];
  reg [31:0] words [0:255];
  reg [3:0] near [0:15];
  reg [15:0] from_read_only, from_halves, from_ports_a, from_ports_b;
  reg [29:0] from_wide_only;
  reg [7:0] from_octets;
  reg [3:0] from_quads;
  reg [31:0] from_words;
  reg [15:0] ports [0:511];
  integer i;
  initial begin
    for (i = 0; i < 512; i = i + 1) begin
      read_only[i] = 40503 * i + 17;
      halves[i] = 24593 * i + 5;
      ports[i] = 1299 * i;
    end
    for (i = 0; i < 256; i = i + 1) begin
      wide_only[i] = 1640531527 * i + 99;
      words[i] = 1103515245 * i + 12345;
    end
    for (i = 0; i < 1024; i = i + 1) octets[i] = 77 * i;
    for (i = 0; i < 4096; i = i + 1) quads[i] = i + (i >> 4);
    for (i = 0; i < 16; i = i + 1) near[i] = 0;
  end
  always @(posedge clock) begin
    from_read_only <= read_only[address[8:0]];
    from_wide_only <= wide_only[address[7:0]];
    from_octets <= octets[other[9:0]];
    if (write[0]) octets[address[9:0]] <= data[7:0];
    from_quads <= quads[other[11:0]];
    if (write[1]) quads[address[11:0]] <= data[11:8];
    // One port, which reads what it replaces.
    from_halves <= halves[address[8:0]];
    if (write[2]) halves[address[8:0]] <= data[15:0];
    from_words <= words[other[7:0]];
    if (write[3]) words[address[7:0]] <= data;
    if (write[1]) near[address[3:0]] <= data[3:0];
    from_ports_a <= ports[address[8:0]];
    if (write[0]) ports[address[8:0]] <= data[31:16];
    from_ports_b <= ports[other[8:0]];
  end
  wire signed [7:0] a = data[7:0];
  wire signed [7:0] b = data[15:8];
  reg signed [15:0] product;
  reg [15:0] unsigned_product;
  always @(posedge clock) begin
    product <= a * b;
    unsigned_product <= data[23:16] * data[31:24];
  end
  assign shown = {
    near[other[3:0]], from_ports_a, from_ports_b, from_read_only, from_wide_only, from_octets, from_quads, from_halves,
    from_words, product, unsigned_product[11:0]
  };
endmodule
`;

/** Drives `top` as it was written and as it was mapped alike, and prints how many bits were compared, and differ. */
export const mappedTrialBench = `\
\`timescale 1ns/1ns
module bench;
  reg clock = 0;
  always #5 clock = !clock;
  reg [13:0] address = 0, other = 0;
  reg [31:0] data = 0;
  reg [3:0] write = 0;
  wire [169:0] written, mapped;
  top written_top (clock, address, other, data, write, written);
  mapped mapped_top (.clock(clock), .address(address), .other(other), .data(data), .write(write), .shown(mapped));
  integer seed = 20261121;
  integer i, cycle, compared, wrong;
  initial begin
    compared = 0;
    wrong = 0;
    for (cycle = 0; cycle < 6000; cycle = cycle + 1) begin
      @(negedge clock);
      // Few words in half of the time, so that what was written is read again.
      address = $random(seed) & (cycle[6] ? 14'h3fff : 14'h100f);
      other = cycle[8] ? address : $random(seed) & (cycle[6] ? 14'h3fff : 14'h100f);
      data = $random(seed);
      write = $random(seed);
      @(posedge clock) #1;
      for (i = 0; i < 170; i = i + 1)
        if (written[i] === 1'b0 || written[i] === 1'b1) begin
          compared = compared + 1;
          if (mapped[i] !== written[i]) begin
            wrong = wrong + 1;
            if (wrong < 4) $display("bit %0d in cycle %0d", i, cycle);
          end
        end
    end
    $display("%0d %0d", compared, wrong);
    $finish;
  end
endmodule
`;
