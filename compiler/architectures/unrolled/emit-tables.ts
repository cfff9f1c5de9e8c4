import type { IntegerGraph, TableNode } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { widthOf } from "../../integer/range";
import { type BitVector, bitsOf } from "./bit-vector";
import type { Signal } from "./network";

/** Where the entries of all tables of a core stand. */
export type TableStyle = "memory" | "logic";

/** How Yosys is told where a memory goes. */
const attributes: Readonly<Record<TableStyle, string>> = {
  memory: '(* ram_style = "block" *)',
  logic: '(* ram_style = "logic", rom_style = "logic" *)',
};

const moduleOf = (layer: number): string => `table_${layer}`;

/** Prints a module for each table: bits in, the entry in a register one cycle later. All elements of a layer share the text. */
export function emitTables(graph: IntegerGraph, style: TableStyle): string {
  return layersOf(graph)
    .flatMap(({ table }, layer) => (table ? [emitTable(table, layer, style)] : []))
    .join("\n");
}

function emitTable({ inputWidth, values, width }: TableNode, layer: number, style: TableStyle) {
  const digits = Math.ceil(width / 4);
  const entries = values.map((value, pattern) => {
    const bits = value < 0 ? value + 2 ** width : value;
    return `    entries[${pattern}] = ${width}'h${bits.toString(16).padStart(digits, "0")};`;
  });
  return `module ${moduleOf(layer)} (
  input clk,
  input [${inputWidth - 1}:0] x,
  output reg [${width - 1}:0] y
);
  ${attributes[style]} reg [${width - 1}:0] entries [0:${values.length - 1}];
  initial begin
${entries.join("\n")}
  end
  always @(posedge clk) y <= entries[x];
endmodule
`;
}

/** Lines that look one element up; the register has as many bits as its range needs. */
export function tableInstance(
  id: number,
  signal: Extract<Signal, { kind: "table" }>,
  {
    table,
    source,
    register,
  }: {
    readonly table: TableNode | null | undefined;
    readonly source: BitVector;
    readonly register: string;
  },
): string[] {
  if (!table) throw new RangeError(`Layer ${signal.layer} has no table.`);
  const whole = `t${id}`;
  return [
    `  wire [${table.width - 1}:0] ${whole};`,
    `  ${moduleOf(signal.layer)} look_${id} (.clk(clk), .x(${bitsOf(source, 0, table.inputWidth)}), .y(${whole}));`,
    `  wire [${widthOf(signal) - 1}:0] ${register} = ${whole}[${widthOf(signal) - 1}:0];`,
  ];
}
