/** Names of a generation: `DIADI` of the 7 series is `DINADIN` of UltraScale+. */
interface Generation {
  readonly suffix: "E1" | "E2";
  readonly input: "DI" | "DIN";
  readonly output: "DO" | "DOUT";
  /** Inputs that the other generation lacks. */
  readonly extra: readonly string[];
  /** Parameters that the other generation lacks. */
  readonly modes: readonly string[];
}

const words = 512;
const numbered = (prefix: string, rows: number) =>
  Array.from(
    { length: rows },
    (_, row) => `${prefix}${row.toString(16).toUpperCase().padStart(2, "0")}`,
  );

/** Data and parity of a port as one word, each byte below its parity bit, from `low` on. */
const joined = (data: string, parity: string, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => {
    const byte = bytes - 1 - index;
    return `${parity}[${byte}], ${data}[${8 * byte + 7}:${8 * byte}]`;
  }).join(", ");

const parted = (from: string, low: number, bytes: number) => ({
  data: `{${Array.from({ length: bytes }, (_, index) => {
    const at = low + 9 * (bytes - 1 - index);
    return `${from}[${at + 7}:${at}]`;
  }).join(", ")}}`,
  parity: `{${Array.from({ length: bytes }, (_, index) => `${from}[${low + 9 * (bytes - 1 - index) + 8}]`).join(", ")}}`,
});

interface Port {
  readonly id: "A" | "B";
  readonly clock: string;
  readonly enable: string;
  readonly reset: string;
  readonly address: string;
  readonly writes: string;
}

/** One port of a memory whose words have `high + 1` bits. */
const portVerilog = ({ id, clock, enable, reset, address, writes }: Port, bytes: number) => {
  const high = 9 * bytes - 1;
  const from = bytes === 4 ? 5 : 6;
  return `\
  wire [${bytes - 1}:0] units_${id} = WRITE_WIDTH_${id} == 0 ? 0 : WRITE_WIDTH_${id} <= 9 ? ${writes} & 1
    : WRITE_WIDTH_${id} <= 18 ? ${writes} & 3 : WRITE_WIDTH_${id} <= 36 ? ${writes} & 15 : ${writes};
  wire [${high}:0] wanted_${id} = WRITE_WIDTH_${id} >= 9 ? {${Array.from({ length: bytes }, (_, unit) => `{9{units_${id}[${bytes - 1 - unit}]}}`).join(", ")}}
    : units_${id}[0] ? (1 << WRITE_WIDTH_${id}) - 1 : 0;
  wire [6:0] into_${id} = low(WRITE_WIDTH_${id}, ${address}[5:0]);
  wire [6:0] out_of_${id} = low(READ_WIDTH_${id}, ${address}[5:0]);
  wire [${high}:0] mask_${id} = wanted_${id} << into_${id};
  wire [8:0] word_${id} = ${address}[${from + 8}:${from}];
  wire [${high}:0] before_${id} = mem[word_${id}];
  wire [${high}:0] after_${id} = (before_${id} & ~mask_${id}) | ((in_${id} << into_${id}) & mask_${id});
  wire changes_${id} = |units_${id};
  reg [${high}:0] held_${id} = 0;
  always @(posedge ${clock}) if (${enable}) begin
    if (changes_${id}) mem[word_${id}] <= after_${id};
    if (${reset}) held_${id} <= 0;
    else if (!changes_${id} || WRITE_MODE_${id} == "READ_FIRST") held_${id} <= before_${id} >> out_of_${id};
    else if (WRITE_MODE_${id} == "WRITE_FIRST") held_${id} <= after_${id} >> out_of_${id};
  end
`;
};

/**
 * A block RAM of 512 words of 36 or 72 bits. A port as wide as a word takes the pins of both: the first then only reads,
 * the second only writes.
 */
function blockRam(bytes: 4 | 8, generation: Generation): string {
  const { suffix, input, output, extra, modes } = generation;
  const name = `RAMB${bytes === 4 ? 18 : 36}${suffix}`;
  const half = bytes / 2;
  const addressHigh = bytes === 4 ? 13 : 15;
  const whole = 9 * bytes;
  const rows = numbered("INIT_", (words * 8 * bytes) / 256);
  const parities = numbered("INITP_", (words * bytes) / 256);
  const perRow = 256 / (8 * bytes);
  const perParity = 256 / bytes;
  const pin = {
    inA: `${input}A${input}`,
    inB: `${input}B${input}`,
    inPA: `${input}PA${input}P`,
    inPB: `${input}PB${input}P`,
    outA: `${output}A${output}`,
    outB: `${output}B${output}`,
    outPA: `${output}PA${output}P`,
    outPB: `${output}PB${output}P`,
  };
  const fill = rows.map((row, index) => {
    const spare = parities[Math.floor((index * perRow) / perParity)] ?? "";
    const base = (index * perRow) % perParity;
    const spread = Array.from({ length: bytes }, (_, unit) => {
      const byte = bytes - 1 - unit;
      return `${spare}[${bytes} * (${base} + i) + ${byte}], ${row}[${8 * bytes} * i + ${8 * byte} +: 8]`;
    });
    return `    for (i = 0; i < ${perRow}; i = i + 1) mem[${index * perRow} + i] = {${spread.join(", ")}};\n`;
  });
  const low = parted("held_A", 0, half);
  const upper = parted("held_A", 9 * half, half);
  const second = parted("held_B", 0, half);
  return `\
module ${name} (
  input [${addressHigh}:0] ADDRARDADDR, ADDRBWRADDR,
  input [${8 * half - 1}:0] ${pin.inA}, ${pin.inB}, input [${half - 1}:0] ${pin.inPA}, ${pin.inPB},
  input CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB,
  input RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB${extra.map((each) => `, ${each}`).join("")},
  input [${half - 1}:0] WEA, input [${bytes - 1}:0] WEBWE,
  output [${8 * half - 1}:0] ${pin.outA}, ${pin.outB}, output [${half - 1}:0] ${pin.outPA}, ${pin.outPB}
);
${[...rows, ...parities].map((each) => `  parameter [255:0] ${each} = 0;\n`).join("")}\
${["INIT_A", "INIT_B", "SRVAL_A", "SRVAL_B", "DOA_REG", "DOB_REG", ...modes].map((each) => `  parameter ${each} = 0;\n`).join("")}\
${["READ_WIDTH_A", "READ_WIDTH_B", "WRITE_WIDTH_A", "WRITE_WIDTH_B"].map((each) => `  parameter ${each} = 0;\n`).join("")}\
  parameter WRITE_MODE_A = "WRITE_FIRST";
  parameter WRITE_MODE_B = "WRITE_FIRST";
  parameter RAM_EXTENSION_A = "NONE";
  parameter RAM_EXTENSION_B = "NONE";
  reg [${whole - 1}:0] mem [0:${words - 1}];
  integer i;
  initial begin
${fill.join("")}\
  end
  // Where a narrow port's part of a word begins; wide ports do not look at the lowest bits of their address.
  function [6:0] low(input integer width, input [5:0] address);
    reg [5:0] a;
    begin
      a = address;
      if (width > 1) a[0] = 1'b0;
      if (width > 2) a[1] = 1'b0;
      if (width > 4) a[2] = 1'b0;
      if (width > 9) a[3] = 1'b0;
      if (width > 18) a[4] = 1'b0;
      ${bytes === 4 ? "a[5] = 1'b0;" : "if (width > 36) a[5] = 1'b0;"}
      low = 9 * a[5:3] + a[2:0];
    end
  endfunction
  wire [${9 * half - 1}:0] own_A = {${joined(pin.inA, pin.inPA, half)}};
  wire [${9 * half - 1}:0] own_B = {${joined(pin.inB, pin.inPB, half)}};
  wire [${whole - 1}:0] in_A = own_A;
  wire [${whole - 1}:0] in_B = WRITE_WIDTH_B == ${whole} ? {own_B, own_A} : own_B;
${portVerilog({ id: "A", clock: "CLKARDCLK", enable: "ENARDEN", reset: "RSTRAMARSTRAM", address: "ADDRARDADDR", writes: "WEA" }, bytes)}\
${portVerilog({ id: "B", clock: "CLKBWRCLK", enable: "ENBWREN", reset: "RSTRAMB", address: "ADDRBWRADDR", writes: "WEBWE" }, bytes)}\
  assign ${pin.outA} = ${low.data};
  assign ${pin.outPA} = ${low.parity};
  assign ${pin.outB} = READ_WIDTH_A == ${whole} ? ${upper.data} : ${second.data};
  assign ${pin.outPB} = READ_WIDTH_A == ${whole} ? ${upper.parity} : ${second.parity};
  generate
    if (DOA_REG || DOB_REG || WRITE_WIDTH_A == ${whole} || READ_WIDTH_B == ${whole}
      || RAM_EXTENSION_A != "NONE" || RAM_EXTENSION_B != "NONE")
      (* keep *) ${name}_mode_without_model refused ();
  endgenerate
endmodule
`;
}

const series7: Generation = {
  suffix: "E1",
  input: "DI",
  output: "DO",
  extra: [],
  modes: ["RAM_MODE"],
};
const ultraScale: Generation = {
  suffix: "E2",
  input: "DIN",
  output: "DOUT",
  extra: ["ADDRENA", "ADDRENB", "SLEEP"],
  modes: [],
};

/** Block RAMs without output registers and cascades. Sources: AMD UG473 and UG573. */
export const blockRamModels = [series7, ultraScale]
  .flatMap((generation) => [blockRam(4, generation), blockRam(8, generation)])
  .join("\n");
