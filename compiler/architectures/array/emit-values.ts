import { widthFor } from "../../integer/range";
import { declareMemory } from "../../verilog/memory";
import { resize } from "../../verilog/resize";
import type { CoreShape } from "./core-shape";

/** One read of the tables; values that pass none are delayed as long. */
export function emitTable({ tables, flags, addressWidth }: CoreShape): string {
  if (!tables) return "";
  const imageWidth = flags.find(({ name }) => name === "image")?.width ?? 1;
  const index = `tap_value[${tables.inputWidth - 1}:0]`;
  // Cycle 8 of a flag that is so many bits wide.
  const image = `image[${6 * imageWidth + 2}:${5 * imageWidth + 3}]`;
  return `  // ---- Table: hidden values are looked up, or wait.

${declareMemory(tables.image, "block")}
  reg [7:0] looked_up, value_9;
  reg [${addressWidth - 1}:0] address_9;
  always @(posedge clk) begin
    looked_up <= tables[${tables.count > 1 ? `{${image}, ${index}}` : index}];
    value_9 <= tap_value[7:0];
    address_9 <= value_address;
  end
  // For the proof alone.
  wire signed [8:0] tap_table = {~offset[9] & looked_up[7], looked_up};

`;
}

/** Values go to the activations; those of the last layer to the result. */
export function emitWriteBack(shape: CoreShape, resultStyle: "block" | "logic"): string {
  const { addressWidth, evenRegion, outputs, hidden, tables } = shape;
  const resultWidth = widthFor(outputs);
  const value = tables
    ? "(tabled[9] ? looked_up : value_9) ^ {offset[9], 7'd0}"
    : hidden === 8
      ? "{tap_value[7] ^ relu[8], tap_value[6:0]}"
      : "tap_value[7:0]";
  const stage = tables ? 9 : 8;
  return `  // ---- Values go back to the activations or, from the last layer, to the result. Unsigned bytes are kept less 128.

  reg [${addressWidth - 1}:0] value_address;
  always @(posedge clk) begin
    if (opens[7]) value_address <= (writes_odd[7] & ~answers[7]) ? ${addressWidth}'d${evenRegion} : ${addressWidth}'d0;
    else if (element[7]) value_address <= value_address + ${addressWidth}'d1;
  end
  assign write_enable = idle ? accept & ~in_full : element[${stage}] & ~answers[${stage}];
  assign write_address = idle ? in_index_address : ${tables ? "address_9" : "value_address"};
  assign write_data = idle ? in_data : ${value};

  (* ram_style = "${resultStyle}", no_rw_check *) reg [15:0] results [0:${outputs - 1}];
  reg [${resultWidth - 1}:0] result_index;
  reg [15:0] result;
  always @(posedge clk) begin
    result <= results[result_index];
    if (element[8] & answers[8]) results[${resize("value_address", addressWidth, resultWidth)}] <= tap_value;
  end
`;
}
