import { corePorts } from "@/compiler";
import { fail } from "@/lib/common/errors";

/** A number of da4ml's: a sign or none, bits left of the point without it, and bits behind it; all of them may be negative. */
export type Kif = readonly [sign: number, integers: number, fraction: number];

/** Words at one end of a core: so many bits each, of which so many are behind the point. */
export interface Words {
  readonly size: number;
  /** 8, 16 or 32. */
  readonly width: number;
  readonly fraction: number;
}

/** What the wrapper of a network depends on. */
export interface WrapperShape {
  readonly input: Words;
  readonly output: Words;
  /** Cycles for which a row stands still: the network's stages, the registers at its two ends, or more. */
  readonly wait: number;
  /** Of the network's own ports, element by element; the first is the lowest of its bus. */
  readonly inputs: readonly Kif[];
  readonly outputs: readonly Kif[];
}

/**
 * Prints the module `core` around a module `adders`: a row of bytes is held until its answer has left, and every element of
 * da4ml's buses, which have as many bits as its values need, is cut out of its word or widened into it.
 *
 * @throws {AppError} `OUTPUT_INVALID` where a word does not hold what the network takes or gives.
 */
export function emitWrapper(shape: WrapperShape): string {
  const { input, output } = shape;
  return `\
// Adders by da4ml for ${input.size} inputs and ${output.size} outputs behind the stream port of a core.

${corePorts("reg")}
${rowIn(shape)}
${network(shape)}
${rowOut(shape)}
endmodule
`;
}

const widthFor = (most: number): number => Math.max(1, Math.ceil(Math.log2(most + 1)));
const bitsOf = ([sign, integers, fraction]: Kif): number => Math.max(0, sign + integers + fraction);
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function rowIn({ input }: WrapperShape): string {
  const bits = input.size * input.width;
  const bytes = bits / 8;
  const count = widthFor(bytes);
  const shifted = bits > 8 ? `{in_data, row[${bits - 1}:8]}` : "in_data";
  return `\
  // ---- Row in: low bytes first; a row of the wrong length is dropped at its last byte.

  reg idle;
  reg [${count - 1}:0] in_index;
  reg [${bits - 1}:0] row;
  wire finished;
  wire accept = in_valid & idle;
  wire row_ends = accept & in_last;
  wire row_good = row_ends & (in_index == ${count}'d${bytes - 1});
  assign in_ready = idle;
  always @(posedge clk) begin
    if (accept) row <= ${shifted};
    if (rst) begin
      idle <= 1'b1;
      in_index <= ${count}'d0;
    end else begin
      if (row_good) idle <= 1'b0;
      else if (finished) idle <= 1'b1;
      if (row_ends) in_index <= ${count}'d0;
      else if (accept & (in_index != ${count}'d${bytes})) in_index <= in_index + ${count}'d1;
    end
  end
`;
}

function network({ input, output, inputs, outputs, wait }: WrapperShape): string {
  const taken = inputs.map((kif, at) => takenBits(kif, at, input)).filter((each) => each !== "");
  const [inBits, outBits] = [inputs, outputs].map((kifs) => sum(kifs.map(bitsOf)));
  let low = 0;
  const words = outputs.map((kif, at) => {
    const word = givenWord(kif, { at, low, words: output });
    low += bitsOf(kif);
    return word;
  });
  const count = widthFor(wait);
  return `\
  // ---- The network, and the cycles that it takes: the row stands still meanwhile.

  wire [${Math.max(1, inBits ?? 0) - 1}:0] taken = ${taken.length === 0 ? "1'b0" : `{${taken.reverse().join(", ")}}`};
  wire [${Math.max(1, outBits ?? 0) - 1}:0] given;
  adders network (.clk(clk), .model_inp(taken), .model_out(given));
  wire [${output.size * output.width - 1}:0] answer = {${words.reverse().join(", ")}};

  reg waiting;
  reg [${count - 1}:0] wait_cycles;
  wire answered = waiting & (wait_cycles == ${count}'d0);
  always @(posedge clk) begin
    if (rst) waiting <= 1'b0;
    else if (row_good) waiting <= 1'b1;
    else if (answered) waiting <= 1'b0;
    wait_cycles <= waiting ? wait_cycles - ${count}'d1 : ${count}'d${wait - 1};
  end
`;
}

/** The bits of an input's word that the network reads; none where it needs none. */
function takenBits(kif: Kif, at: number, { width, fraction }: Words): string {
  const bits = bitsOf(kif);
  if (bits === 0) return "";
  const low = fraction - kif[2];
  if (low < 0 || low + bits > width) throw misfit("input", at, kif, { width, fraction });
  return `row[${at * width + low} +: ${bits}]`;
}

/** An output's word: the network's bits with zeros behind them and its sign before them. */
function givenWord(
  kif: Kif,
  { at, low, words }: { readonly at: number; readonly low: number; readonly words: Words },
): string {
  const { width, fraction } = words;
  const bits = bitsOf(kif);
  if (bits === 0) return `${width}'d0`;
  const below = fraction - kif[2];
  const above = width - below - bits;
  const [sign] = kif;
  if (below < 0 || above < (sign === 1 ? 0 : 1)) throw misfit("output", at, kif, words);
  const top = sign === 1 ? `{${above}{given[${low + bits - 1}]}}` : `${above}'d0`;
  const parts = [
    ...(above > 0 ? [top] : []),
    `given[${low} +: ${bits}]`,
    ...(below > 0 ? [`${below}'d0`] : []),
  ];
  return parts.join(", ");
}

const misfit = (
  what: string,
  at: number,
  [sign, integers, fraction]: Kif,
  words: Pick<Words, "width" | "fraction">,
) =>
  fail(
    "OUTPUT_INVALID",
    `da4ml gives ${what} ${at} ${integers} bits left of the point${sign === 1 ? ", a sign" : ""} and ${fraction} behind it; a word of ${words.width} bits with ${words.fraction} behind the point does not hold that.`,
  );

function rowOut({ output }: WrapperShape): string {
  const bits = output.size * output.width;
  const bytes = bits / 8;
  const left = widthFor(bytes);
  return `\
  // ---- Row out, and cycles from the last input byte to the first result byte.

  reg [${left - 1}:0] left;
  reg [${bits - 1}:0] results;
  wire sent = out_valid & out_ready;
  assign finished = sent & out_last;
  assign out_data = results[7:0];
  assign out_last = left == ${left}'d1;
  always @(posedge clk) begin
    if (rst) out_valid <= 1'b0;
    else if (answered) out_valid <= 1'b1;
    else if (finished) out_valid <= 1'b0;
    if (answered) left <= ${left}'d${bytes};
    else if (sent) left <= left - ${left}'d1;
    if (answered) results <= answer;
    else if (sent) results <= results >> 8;

    if (rst) cycles <= 32'd0;
    else if (row_good) cycles <= 32'd1;
    else if (waiting) cycles <= cycles + 32'd1;
  end`;
}
