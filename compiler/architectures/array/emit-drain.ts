import { declareMemory, type MemoryImage, shiftWidth } from "../../verilog/memory";
import type { CoreShape } from "./core-shape";
import { emitTable, emitWriteBack } from "./emit-values";
import type { Field } from "./program";

/** From the drain register to the activations and the result: bias, shift, clamp, and a table where there is one. */
export function emitDrain(
  shape: CoreShape,
  constants: MemoryImage,
  styles: { readonly constants: "block" | "logic"; readonly result: "block" | "logic" },
): string {
  const { width, countWidth, flags } = shape;
  const constantWidth = Math.max(1, Math.ceil(Math.log2(constants.words.length + 1)));
  const flagWidth = flags.reduce((sum, flag) => sum + flag.width, 0);
  const flag = (name: string, vector: string) => {
    const found = flags.find((each) => each.name === name);
    if (!found) throw new RangeError(`No flag ${name}.`);
    const { low, width: bits } = found;
    return bits === 1 ? `${vector}[${low}]` : `${vector}[${low + bits - 1}:${low}]`;
  };
  const last = shape.tables ? 9 : 8;
  const delayed = flags.filter(({ name }) => name !== "opens");
  return `  // ---- Drain: one sum per cycle. The constants are read ahead, so that they meet it.

  reg [${countWidth - 1}:0] draining;
  reg [${flagWidth - 1}:0] drain_flags;
  reg element_2, opens_2;
  reg [${constantWidth - 1}:0] constant_index;
  always @(posedge clk) begin
    if (rst) begin
      draining <= ${countWidth}'d0;
      element_2 <= 1'b0;
    end else if (last_1) begin
      draining <= count_1;
      element_2 <= 1'b1;
    end else if (draining != ${countWidth}'d0) draining <= draining - ${countWidth}'d1;
    else element_2 <= 1'b0;
    if (last_1) drain_flags <= flags_1;
    opens_2 <= last_1 & ${flag("opens", "flags_1")};
    if (idle) constant_index <= ${constantWidth}'d0;
    else if (element_2) constant_index <= constant_index + ${constantWidth}'d1;
  end

${declareMemory(constants, styles.constants)}
  reg [${constants.width - 1}:0] constant_3, constant_4;
  always @(posedge clk) begin
    constant_3 <= ${constants.name}[constant_index];
    constant_4 <= constant_3;
  end

  // What goes along with a value, by the cycle after its last input was read.
  reg [${last}:3] element;
  reg [8:3] opens;
${delayed.map((each) => emitDelay(each, last)).join("\n")}
  always @(posedge clk) begin
    element <= rst ? ${last - 2}'d0 : {element[${last - 1}:3], element_2};
    opens <= {opens[7:3], opens_2};
${delayed.map(({ name, width: bits }) => `    ${name} <= {${name}[${(last - 2) * bits - 1 + 3 - bits}:3], ${flag(name, "drain_flags")}};`).join("\n")}
  end

  // ---- Bias and rounding, shift right, clamp.

  reg signed [${width - 1}:0] tap_accumulator, coarse, fine;
  reg [3:0] shift_5;
  reg [1:0] shift_6;
  always @(posedge clk) begin
    tap_accumulator <= drain_0 + $signed(constant_4[${width - 1}:0]);
    shift_5 <= constant_4[${width + shiftWidth - 1}:${width}];
    coarse <= tap_accumulator >>> {shift_5[3:2], 2'b00};
    shift_6 <= shift_5[1:0];
    fine <= coarse >>> shift_6;
  end
${emitClamp(shape)}
${emitTable(shape)}${emitWriteBack(shape, styles.result)}`;
}

/** A flag of one bit, delayed to cycle 3 … last; one of several bits lies there in as many pieces. */
function emitDelay({ name, width }: Field, last: number): string {
  return `  reg [${(last - 2) * width + 2}:3] ${name};`;
}

function emitClamp({ width, hidden, tables }: CoreShape): string {
  const sign = `fine[${width - 1}]`;
  const fits = (name: string, bits: number) =>
    `  wire ${name} = (&fine[${width - 1}:${bits - 1}]) | ~(|fine[${width - 1}:${bits - 1}]);\n`;
  const signed = (bits: number) => `{{${17 - bits}{negative}}, {${bits - 1}{~negative}}}`;
  const entry = tables
    ? `    else if (tabled[7]) tap_value <= fits_table ? fine[15:0] : ${signed(tables.inputWidth)};\n`
    : "";
  return `
  reg [15:0] tap_value;
  wire negative = ${sign};
${fits("fits_16", 16)}${fits("fits", hidden)}${tables ? fits("fits_table", tables.inputWidth) : ""}\
  wire over = |fine[${width - 2}:${hidden}];
  always @(posedge clk) begin
    if (relu[7] & negative) tap_value <= 16'd0;
    else if (answers[7]) tap_value <= fits_16 ? fine[15:0] : {negative, {15{~negative}}};
    else if (relu[7]) tap_value <= over ? 16'd${2 ** hidden - 1} : {${16 - hidden}'d0, fine[${hidden - 1}:0]};
${entry}    else tap_value <= fits ? fine[15:0] : ${signed(hidden)};
  end
`;
}
