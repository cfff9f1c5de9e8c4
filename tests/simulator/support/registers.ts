import type { Candidate } from "./judge";
import type { Random } from "./random";

/** The flip-flops of Yosys: their controls, and the clocked part of the Verilog that defines them. */
export const registerKinds = [
  { cell: "$dff", controls: [], clocked: "n = d;" },
  { cell: "$dffe", controls: ["en"], clocked: "if (en_) n = d;" },
  { cell: "$sdff", controls: ["srst"], clocked: "if (srst_) n = RESET; else n = d;" },
  {
    cell: "$sdffe",
    controls: ["srst", "en"],
    clocked: "if (srst_) n = RESET; else if (en_) n = d;",
  },
  {
    cell: "$sdffce",
    controls: ["srst", "en"],
    clocked: "if (en_) begin if (srst_) n = RESET; else n = d; end",
  },
  { cell: "$adff", controls: ["arst"], clocked: "n = d;" },
  { cell: "$adffe", controls: ["arst", "en"], clocked: "if (en_) n = d;" },
  { cell: "$aldff", controls: ["aload"], clocked: "n = d;" },
  { cell: "$aldffe", controls: ["aload", "en"], clocked: "if (en_) n = d;" },
  { cell: "$dffsr", controls: ["set", "clr"], clocked: "n = d;" },
  { cell: "$dffsre", controls: ["set", "clr", "en"], clocked: "if (en_) n = d;" },
] as const;

type RegisterKind = (typeof registerKinds)[number];

const widths = [1, 31, 32, 33, 63, 64] as const;

/**
 * A flip-flop with random width, polarities, reset value and initial value. Its Verilog is written from the
 * documentation of the cell: asynchronous controls act on the level, whatever the clock does.
 */
export function drawRegister(
  kind: RegisterKind,
  name: string,
  random: Random,
  vectorCount: number,
): Candidate {
  const width = random.chance(0.85) ? random.pick(widths) : 1 + random.below(64);
  const controls: readonly string[] = kind.controls;
  const perBit = (control: string): boolean => control === "set" || control === "clr";
  const polarity = new Map(controls.map((control) => [control, random.chance(0.5)]));
  const initial = random.bits(width);
  const reset = random.bits(width);
  const binary = (value: bigint): string => `${width}'b${value.toString(2)}`;

  const inputs = [
    { name: "d", width },
    ...(controls.includes("aload") ? [{ name: "ad", width }] : []),
    ...controls.map((control) => ({ name: control, width: perBit(control) ? width : 1 })),
  ];
  const parameters: Record<string, string> = { WIDTH: String(width), CLK_POLARITY: "1'1" };
  for (const [control, high] of polarity) {
    parameters[`${control.toUpperCase()}_POLARITY`] = high ? "1'1" : "1'0";
  }
  if (controls.includes("srst")) parameters["SRST_VALUE"] = binary(reset).replace("b", "");
  if (controls.includes("arst")) parameters["ARST_VALUE"] = binary(reset).replace("b", "");

  return {
    name,
    cell: kind.cell,
    inputs,
    outputs: [{ name: "q", width }],
    verilog: [
      ...controls.map(
        (control) =>
          `wire ${perBit(control) ? `[${width - 1}:0] ` : ""}${control}_ = ${polarity.get(control) ? "" : "~"}${control};`,
      ),
      `reg [${width - 1}:0] stored = ${binary(initial)}; reg [${width - 1}:0] n;`,
      `assign q = ${applied(controls, "stored")};`,
      `always @(posedge clk) begin n = q; ${kind.clocked} stored = ${applied(controls, "n")}; end`,
    ]
      .join("\n")
      .replaceAll("RESET", binary(reset)),
    rtlil: [
      `  cell ${kind.cell} \\it`,
      ...Object.entries(parameters).map(
        ([key, value]) => `    parameter \\${key} ${pad(value, width)}`,
      ),
      "    connect \\CLK \\clk",
      "    connect \\Q \\q",
      ...inputs.map((port) => `    connect \\${port.name.toUpperCase()} \\${port.name}`),
      "  end",
    ].join("\n"),
    initial: { q: pad(binary(initial).replace("b", ""), width) },
    vectors: Array.from({ length: vectorCount }, () =>
      inputs.map((port) => {
        const high = polarity.get(port.name);
        if (high === undefined) return random.value(port.width);
        // Asynchronous controls and resets are seldom active, or nothing else would be seen.
        const active = random.chance(port.name === "en" ? 0.6 : 0.25);
        const some = perBit(port.name) ? random.bits(port.width) : 1n;
        const bits = active ? some : 0n;
        return high ? bits : BigInt.asUintN(port.width, ~bits);
      }),
    ),
  };
}

/** How asynchronous controls change what is stored; they act on the level. */
function applied(controls: readonly string[], value: string): string {
  if (controls.includes("arst")) return `arst_ ? RESET : ${value}`;
  if (controls.includes("aload")) return `aload_ ? ad : ${value}`;
  if (controls.includes("set")) return `(${value} | set_) & ~clr_`;
  return value;
}

/** RTLIL constants have as many digits as bits. */
function pad(constant: string, width: number): string {
  const [size, digits] = constant.split("'");
  if (digits === undefined || Number(size) !== width || digits.length === width) return constant;
  return `${size}'${digits.padStart(width, "0")}`;
}
