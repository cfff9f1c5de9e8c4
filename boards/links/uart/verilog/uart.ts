/** Serial line, one start bit, eight data bits, one stop bit. `last_clock` of a bit: clocks per bit, at least 4, less one. */
export const uartSource = `\
// Receives bytes. The line passes two flip-flops, then is sampled in the middle of each bit.
module shell_uart_receive #(parameter WIDTH = 4) (
  input clk,
  input rst,
  input [WIDTH-1:0] last_clock,
  input rx,
  output reg [7:0] data,
  output reg valid,   // one cycle: data is a byte
  output reg broken   // one cycle: a byte came without its stop bit
);
  reg [1:0] synchroniser = 2'b11;
  reg [WIDTH-1:0] timer = 0;
  reg [3:0] left = 0;
  wire line = synchroniser[1];

  always @(posedge clk) begin
    synchroniser <= {synchroniser[0], rx};
    valid <= 1'b0;
    broken <= 1'b0;
    if (rst) begin
      left <= 0;
    end else if (left == 0) begin
      timer <= last_clock >> 1;
      if (!line) left <= 10;
    end else if (timer != 0) begin
      timer <= timer - 1'b1;
    end else begin
      timer <= last_clock;
      left <= left - 1'b1;
      if (left == 10) begin
        if (line) left <= 0; // a glitch, not a start bit
      end else if (left == 1) begin
        valid <= line;
        broken <= !line;
      end else begin
        data <= {line, data[7:1]};
      end
    end
  end
endmodule

// Sends bytes, back to back when there are any.
module shell_uart_send #(parameter WIDTH = 4) (
  input clk,
  input rst,
  input [WIDTH-1:0] last_clock,
  input [7:0] data,
  input valid,
  output reg ready,
  output reg tx
);
  reg [WIDTH-1:0] timer = 0;
  reg [3:0] left = 0;
  reg [8:0] bits = 0;
  initial ready = 1'b1;
  initial tx = 1'b1;

  always @(posedge clk) begin
    if (ready) begin
      timer <= last_clock;
      bits <= {1'b1, data};
      left <= 9;
      ready <= !valid;
      tx <= !valid;
    end else if (timer != 0) begin
      timer <= timer - 1'b1;
    end else begin
      timer <= last_clock;
      tx <= bits[0];
      bits <= {1'b1, bits[8:1]};
      left <= left - 1'b1;
      ready <= left == 0;
    end
    if (rst) begin
      ready <= 1'b1;
      tx <= 1'b1;
    end
  end
endmodule
`;
