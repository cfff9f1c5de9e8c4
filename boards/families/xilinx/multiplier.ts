interface Multiplier {
  readonly name: string;
  /** Bits of the wider factor. */
  readonly factorBits: 25 | 27;
  readonly modeBits: 7 | 9;
  /** What takes the pre-adder into the product in this generation: parameters whose other values have no model. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** Registers whose stages are parameters that designs leave at 0: their pins are inputs of constants. */
const unusedRegisters = [
  "ADREG",
  "DREG",
  "INMODEREG",
  "OPMODEREG",
  "ALUMODEREG",
  "CARRYINREG",
  "CARRYINSELREG",
];

/** One or two registers behind a factor, or none; the factor may be handed on from a neighbour, and to one. */
const factor = (name: "A" | "B", bits: number) => `\
  wire [${bits - 1}:0] given_${name} = ${name}_INPUT == "CASCADE" ? ${name}CIN : ${name};
  reg [${bits - 1}:0] first_${name} = 0;
  reg [${bits - 1}:0] second_${name} = 0;
  always @(posedge CLK) begin
    if (RST${name}) first_${name} <= 0; else if (CE${name}1) first_${name} <= given_${name};
    if (RST${name}) second_${name} <= 0; else if (CE${name}2) second_${name} <= ${name}REG == 2 ? first_${name} : given_${name};
  end
  wire [${bits - 1}:0] ${name === "A" ? "a" : "b"} = ${name}REG == 0 ? given_${name} : second_${name};
  assign ${name}COUT = ${name}CASCREG == 1 && ${name}REG == 2 ? first_${name} : ${name === "A" ? "a" : "b"};
`;

const register = (name: "C" | "M" | "P", value: string) => `\
  reg [47:0] held_${name} = 0;
  always @(posedge CLK) if (RST${name}) held_${name} <= 0; else if (CE${name}) held_${name} <= ${value};
`;

/** A product, a sum of it with other words, and registers between them. */
const multiplier = ({ name, factorBits, modeBits, fixed }: Multiplier) => `\
module ${name} (
  input [29:0] A, ACIN, input [17:0] B, BCIN, input [47:0] C, PCIN, input [${factorBits - 1}:0] D,
  input [3:0] ALUMODE, input [2:0] CARRYINSEL, input [4:0] INMODE, input [${modeBits - 1}:0] OPMODE,
  input CARRYIN, CARRYCASCIN, MULTSIGNIN, CLK,
  input CEA1, CEA2, CEAD, CEALUMODE, CEB1, CEB2, CEC, CECARRYIN, CECTRL, CED, CEINMODE, CEM, CEP,
  input RSTA, RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM, RSTP,
  output [29:0] ACOUT, output [17:0] BCOUT, output [47:0] P, PCOUT
);
  parameter AREG = 1;
  parameter BREG = 1;
  parameter CREG = 1;
  parameter MREG = 1;
  parameter PREG = 1;
  parameter ACASCREG = 1;
  parameter BCASCREG = 1;
  parameter A_INPUT = "DIRECT";
  parameter B_INPUT = "DIRECT";
  parameter USE_MULT = "MULTIPLY";
  parameter USE_SIMD = "ONE48";
${unusedRegisters.map((each) => `  parameter ${each} = 0;\n`).join("")}\
${Object.entries(fixed)
  .map(([each, value]) => `  parameter ${each} = "${value}";\n`)
  .join("")}\
${factor("A", 30)}\
${factor("B", 18)}\
${register("C", "C")}\
  wire [47:0] c = CREG ? held_C : C;
  wire signed [${factorBits - 1}:0] wide = a[${factorBits - 1}:0];
  wire signed [17:0] narrow = b;
  wire signed [47:0] product = wide * narrow;
${register("M", "product")}\
  wire [47:0] m = MREG ? held_M : product;
  // Only what a register held comes back: without it there is no way round.
  wire [47:0] back;
  wire [47:0] x = OPMODE[1:0] == 1 ? m : OPMODE[1:0] == 2 ? back : OPMODE[1:0] == 3 ? {a, b} : 48'b0;
  // The multiplier's two halves are both in x: what is chosen with it for y adds nothing.
  wire [47:0] y = OPMODE[3:2] == 2 ? ~48'b0 : OPMODE[3:2] == 3 ? c : 48'b0;
  wire [47:0] z = OPMODE[6:4] == 1 ? PCIN : OPMODE[6:4] == 2 ? back : OPMODE[6:4] == 3 ? c
    : OPMODE[6:4] == 5 ? {{17{PCIN[47]}}, PCIN[47:17]} : OPMODE[6:4] == 6 ? {{17{back[47]}}, back[47:17]} : 48'b0;
  wire [47:0] sum = x + y + {47'b0, CARRYIN};
  wire [47:0] answer = ALUMODE == 0 ? z + sum : ALUMODE == 1 ? ~z + sum : ALUMODE == 2 ? ~(z + sum) : z - sum;
${register("P", "answer")}\
  assign back = PREG ? held_P : 48'b0;
  assign P = PREG ? held_P : answer;
  assign PCOUT = P;
  generate
    if ((A_INPUT != "DIRECT" && A_INPUT != "CASCADE") || (B_INPUT != "DIRECT" && B_INPUT != "CASCADE") || USE_MULT != "MULTIPLY" || USE_SIMD != "ONE48"
      || ${Object.entries(fixed)
        .map(([each, value]) => `${each} != "${value}"`)
        .join(" || ")}
      || ${unusedRegisters.join(" || ")})
      (* keep *) ${name}_mode_without_model refused ();
  endgenerate
endmodule
`;

/**
 * DSP slices as a multiplier with an adder behind it; pre-adders and patterns have no model. Sources: AMD UG479 and UG579.
 */
export const multiplierModels = [
  multiplier({ name: "DSP48E1", factorBits: 25, modeBits: 7, fixed: { USE_DPORT: "FALSE" } }),
  multiplier({
    name: "DSP48E2",
    factorBits: 27,
    modeBits: 9,
    fixed: { AMULTSEL: "A", BMULTSEL: "B" },
  }),
].join("\n");
