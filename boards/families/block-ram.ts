/** How a family's block RAM keeps its contents: one parameter per row of eight words. */
export interface RamContents {
  /** Bits of the smallest unit that can be written: 9 with the parity bit, 8 without. */
  readonly unit: 8 | 9;
  /** What the names of the rows begin with; the number follows in hexadecimal. */
  readonly row: string;
  /** The parameter declaration of a row. */
  readonly declare: (name: string) => string;
  /** Verilog for word `i` of a row, four units wide. */
  readonly word: (name: string) => string;
}

const rows = 64;
const wordsPerRow = 8;

const rowNames = (prefix: string) =>
  Array.from(
    { length: rows },
    (_, row) => `${prefix}${row.toString(16).toUpperCase().padStart(2, "0")}`,
  );

/**
 * Verilog inside a module of a block RAM: its parameters and contents, the array `mem` of 512 words, and the functions
 * that say where in a word a port of 1, 2, 4, 8 (9), 16 (18) or 32 (36) bits reads and writes.
 */
export function ramVerilog({ unit, row, declare, word }: RamContents): string {
  const names = rowNames(row);
  const high = 4 * unit - 1;
  const fill = names.map(
    (name, index) =>
      `    for (i = 0; i < ${wordsPerRow}; i = i + 1) mem[${index * wordsPerRow} + i] = ${word(name)};\n`,
  );
  return `\
${names.map((name) => `  ${declare(name)}\n`).join("")}\
  reg [${high}:0] mem [0:511];
  integer i;
  initial begin
${fill.join("")}\
  end
  function [5:0] low(input integer width, input [4:0] address);
    reg [4:0] a;
    begin
      a = address;
      if (width > 1) a[0] = 1'b0;
      if (width > 2) a[1] = 1'b0;
      if (width > 4) a[2] = 1'b0;
      if (width > ${unit}) a[3] = 1'b0;
      if (width > ${2 * unit}) a[4] = 1'b0;
      low = (a[4] ? 6'd${2 * unit} : 6'd0) + (a[3] ? 6'd${unit} : 6'd0) + {3'b0, a[2:0]};
    end
  endfunction
  // Wide ports have enables for their units where narrow ones have the lowest address bits.
  function [${high}:0] touched(input integer width, input [4:0] address);
    reg [${high}:0] bits;
    begin
      bits = {${4 * unit}{1'b1}} >> (${4 * unit} - width);
      if (width > ${unit}) bits = bits & {{${unit}{address[3]}}, {${unit}{address[2]}}, {${unit}{address[1]}}, {${unit}{address[0]}}};
      touched = bits << low(width, address);
    end
  endfunction
`;
}

/** Names of one port of a block RAM, each Verilog. */
export interface RamPort {
  readonly clock: string;
  /** Whether the port works in this cycle. */
  readonly enable: string;
  readonly write: string;
  /** 14 bits, counted in single bits of a word. */
  readonly address: string;
  readonly width: string;
  readonly data: string;
  /** The register that holds what was read; none for a port that only writes. */
  readonly held?: string;
  /** Whether the register shows the old word (1), the new one (2) or stays (0) when the port writes. */
  readonly onWrite?: string;
  readonly reset?: string;
}

/** A port of `ramVerilog`'s memory: writes take what the enables leave of a word from the word itself. */
export function portVerilog(port: RamPort): string {
  const { clock, enable, write, address, width, data, held, onWrite = "1", reset } = port;
  const word = `mem[${address}[13:5]]`;
  const low = `low(${width}, ${address}[4:0])`;
  const mask = `touched(${width}, ${address}[4:0])`;
  const written = `(${word} & ~${mask}) | ((${data} << ${low}) & ${mask})`;
  const read = `\
      if (!(${write})) ${held} <= ${word} >> ${low};
      else if (${onWrite} == 1) ${held} <= ${word} >> ${low};
      else if (${onWrite} == 2) ${held} <= (${written}) >> ${low};
`;
  return `\
  always @(posedge ${clock}) begin
    if (${enable}) begin
      if (${write}) ${word} <= ${written};
${held === undefined ? "" : read}\
    end
${reset === undefined ? "" : `    if (${reset}) ${held} <= 0;\n`}\
  end
`;
}
