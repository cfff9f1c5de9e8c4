import { corePorts } from "@/compiler";

/** What a wrapper depends on. */
export interface WrapperShape {
  readonly inputs: number;
  readonly outputs: number;
  /** Bits of a word: 16 or 32. */
  readonly width: number;
  /** Cycles that a row may take before the machine counts as stuck. */
  readonly patienceCycles: number;
}

/** Cycles for which the machine is held in reset, after the chip's start and when it was stuck. */
const resetCycles = 8;

/**
 * Prints the module `core` around a module `bondmachine`: rows of bytes from the stream port of every core, to words that
 * are handed over by the machine's handshake of four phases, and back. `docs/engines-bondmachine.md` tells how.
 */
export function emitWrapper(shape: WrapperShape): string {
  const { inputs, outputs, width } = shape;
  return `\
// A BondMachine of ${inputs} inputs and ${outputs} outputs of ${width} bits behind the stream port of a core.

${corePorts("reg")}
${rowIn(shape)}
${handshake(shape)}
${rowOut(shape)}
${instance(shape)}endmodule
`;
}

/** Bits that hold every number up to one. */
const widthFor = (most: number): number => Math.max(1, Math.ceil(Math.log2(most + 1)));

function rowIn({ inputs, width }: WrapperShape): string {
  const bits = inputs * width;
  const bytes = bits / 8;
  const count = widthFor(bytes);
  return `\
  // ---- Row in: low bytes first; a row of the wrong length is dropped at its last byte.

  wire at_rest;
  wire finished;
  wire timed_out;
  reg idle;
  reg start;
  reg [${bits - 1}:0] words;
  reg [${count - 1}:0] in_index;
  assign in_ready = idle & at_rest;
  wire accept = in_valid & in_ready;
  wire row_ends = accept & in_last;
  wire row_good = row_ends & (in_index == ${count}'d${bytes - 1});
  always @(posedge clk) begin
    if (accept) words <= {in_data, words[${bits - 1}:8]};
    if (rst) begin
      idle <= 1'b1;
      start <= 1'b0;
      in_index <= ${count}'d0;
    end else begin
      start <= row_good;
      if (row_good) idle <= 1'b0;
      else if (finished | timed_out) idle <= 1'b1;
      if (row_ends) in_index <= ${count}'d0;
      else if (accept & (in_index != ${count}'d${bytes})) in_index <= in_index + ${count}'d1;
    end
  end
`;
}

/**
 * A machine in the middle of an operation does not survive a reset, since the states of its arithmetic have none. So a reset
 * of the core leaves it running: it gets the rest of its inputs, its answer is dropped, and the next row waits for that.
 */
function handshake({ inputs, outputs, width, patienceCycles }: WrapperShape): string {
  const wait = widthFor(patienceCycles);
  const phase = widthFor(resetCycles);
  const captures = Array.from(
    { length: outputs },
    (_, at) =>
      `      if (valid[${at}] & ~taken[${at}]) results[${width * at} +: ${width}] <= o${at};`,
  );
  return `\
  // ---- The machine: every input is valid until it was received, every output is taken until it is valid no more.

  reg [${phase - 1}:0] started = ${phase}'d0;
  wire machine_reset = started != ${phase}'d${resetCycles};
  reg [${inputs - 1}:0] pending = ${inputs}'d0;
  wire [${inputs - 1}:0] received;
  wire [${outputs - 1}:0] valid;
  reg [${outputs - 1}:0] taken = ${outputs}'d0;
  reg [${outputs - 1}:0] got = ${outputs}'d0;
  reg running = 1'b0;
  reg dropped;
  reg [${wait - 1}:0] waited;
  reg begins;
  wire sent = out_valid & out_ready;
${Array.from({ length: outputs }, (_, at) => `  wire [${width - 1}:0] o${at};\n`).join("")}\
  reg [${outputs * width - 1}:0] results;
  assign at_rest = ~(running | machine_reset | (|pending) | (|received) | (|valid) | (|taken));
  assign timed_out = running & (waited == ${wait}'d${patienceCycles});
  always @(posedge clk) begin
    if (timed_out) started <= ${phase}'d0;
    else if (machine_reset) started <= started + ${phase}'d1;
    if (machine_reset) begin
      pending <= ${inputs}'d0;
      taken <= ${outputs}'d0;
      got <= ${outputs}'d0;
      running <= 1'b0;
    end else begin
      pending <= (start & ~rst) ? {${inputs}{1'b1}} : (pending & ~received);
      taken <= valid;
      if (start & ~rst) running <= 1'b1;
      else if (&got) running <= 1'b0;
      got <= (&got) ? ${outputs}'d0 : (got | (valid & ~taken));
    end
    waited <= running ? waited + ${wait}'d1 : ${wait}'d0;
    if (start) dropped <= 1'b0;
    else if (rst) dropped <= 1'b1;
    begins <= running & (&got) & ~dropped & ~rst;
    if (sent) results <= results >> 8;
    else begin
${captures.join("\n")}
    end
  end
`;
}

function rowOut({ outputs, width }: WrapperShape): string {
  const bytes = (outputs * width) / 8;
  const left = widthFor(bytes);
  return `\
  // ---- Row out, and cycles from the last input byte to the first result byte.

  reg [${left - 1}:0] left;
  reg counting;
  assign out_data = results[7:0];
  assign out_last = left == ${left}'d1;
  assign finished = sent & out_last;
  always @(posedge clk) begin
    if (rst) out_valid <= 1'b0;
    else if (begins) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;
    if (begins) left <= ${left}'d${bytes};
    else if (sent) left <= left - ${left}'d1;

    if (rst | begins) counting <= 1'b0;
    else if (row_good) counting <= 1'b1;
    if (rst) cycles <= 32'd0;
    else if (row_good) cycles <= 32'd1;
    else if (counting) cycles <= cycles + 32'd1;
  end
`;
}

function instance({ inputs, outputs, width }: WrapperShape): string {
  const ports = [
    ".clk(clk)",
    ".reset(machine_reset)",
    ...Array.from(
      { length: inputs },
      (_, at) =>
        `.i${at}(words[${width * at} +: ${width}]), .i${at}_valid(pending[${at}]), .i${at}_received(received[${at}])`,
    ),
    ...Array.from(
      { length: outputs },
      (_, at) => `.o${at}(o${at}), .o${at}_valid(valid[${at}]), .o${at}_received(taken[${at}])`,
    ),
  ];
  return `  bondmachine machine (\n    ${ports.join(",\n    ")}\n  );\n`;
}
