/** A small core with a known answer, for what needs the shell but not the compiler. */
export interface TrialCore {
  readonly inputBytes: number;
  readonly outputBytes: number;
}

/**
 * The module `core`: byte k of the answer is the sum of the request plus 5k. It takes a byte only every third cycle,
 * pauses inside its answer and takes `delay` cycles, so that every handshake is used. A request that is not marked
 * last at its last byte, and only there, is answered with the complement.
 */
export function trialCoreVerilog({ inputBytes, outputBytes }: TrialCore, delay = 40): string {
  return `\
module core (
  input clk, input rst,
  input in_valid, output in_ready, input [7:0] in_data, input in_last,
  output out_valid, input out_ready, output [7:0] out_data, output out_last,
  output reg [31:0] cycles
);
  reg [1:0] beat = 0;
  reg [15:0] taken = 0, given = 0, waited = 0;
  reg [7:0] sum = 0;
  reg wrong = 0, answering = 0, counting = 0;
  reg awake = 0; // like a real core, nothing works before a reset
  assign in_ready = awake && beat == 2 && !answering && waited == 0;
  assign out_valid = answering && beat != 1;
  assign out_data = sum + 5 * given[7:0];
  assign out_last = given == ${outputBytes - 1};
  always @(posedge clk) begin
    beat <= beat == 2 ? 0 : beat + 1'b1;
    if (counting && !out_valid) cycles <= cycles + 1'b1;
    if (out_valid) counting <= 0;
    if (waited != 0) begin
      waited <= waited - 1'b1;
      if (waited == 1) answering <= 1'b1;
    end
    if (in_valid && in_ready) begin
      taken <= taken + 1'b1;
      sum <= sum + in_data;
      if (in_last != (taken == ${inputBytes - 1})) wrong <= 1'b1;
      if (in_last) begin
        waited <= ${delay};
        counting <= 1'b1;
        cycles <= 0;
        given <= 0;
        sum <= (wrong || taken != ${inputBytes - 1}) ? ~(sum + in_data) : sum + in_data;
      end
    end
    if (out_valid && out_ready) begin
      given <= given + 1'b1;
      if (out_last) begin
        answering <= 1'b0;
        taken <= 0;
        sum <= 0;
        wrong <= 1'b0;
      end
    end
    if (rst) begin
      awake <= 1'b1;
      answering <= 1'b0;
      counting <= 1'b0;
      taken <= 0;
      sum <= 0;
      waited <= 0;
      cycles <= 0;
      wrong <= 1'b0;
    end
  end
endmodule
`;
}

/** What the trial core must answer. */
export function trialCoreAnswer(core: TrialCore, input: Uint8Array): Uint8Array {
  const sum = input.reduce((total, byte) => total + byte, 0);
  return Uint8Array.from({ length: core.outputBytes }, (_, k) => sum + 5 * k);
}
