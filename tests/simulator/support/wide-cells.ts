import type { Candidate } from "./judge";
import type { Random } from "./random";

/**
 * Expressions over `a` and `b` of more than 64 bits, and the cell each one makes. Division is not among them: Icarus
 * takes a minute for one; `compile-netlist.test.ts` compares it with big integers.
 */
export const wideKinds = [
  { cell: "$not", expression: "~a" },
  { cell: "$neg", expression: "-a" },
  { cell: "$and", expression: "a & b" },
  { cell: "$or", expression: "a | b" },
  { cell: "$xor", expression: "a ^ b" },
  { cell: "$xnor", expression: "a ~^ b" },
  { cell: "$add", expression: "a + b" },
  { cell: "$sub", expression: "a - b" },
  { cell: "$mul", expression: "a * b" },
  { cell: "$lt", expression: "a < b" },
  { cell: "$le", expression: "a <= b" },
  { cell: "$gt", expression: "a > b" },
  { cell: "$ge", expression: "a >= b" },
  { cell: "$eq", expression: "a == b" },
  { cell: "$ne", expression: "a != b" },
  { cell: "$reduce_and", expression: "&a" },
  { cell: "$reduce_or", expression: "|a" },
  { cell: "$reduce_xor", expression: "^a" },
  { cell: "$reduce_xnor", expression: "~^a" },
  { cell: "$logic_not", expression: "!a" },
  { cell: "$logic_and", expression: "a && b" },
  { cell: "$logic_or", expression: "a || b" },
  { cell: "$shl", expression: "a << s" },
  { cell: "$sshl", expression: "a <<< s" },
  { cell: "$shr", expression: "a >> s" },
  { cell: "$sshr", expression: "a >>> s" },
  { cell: "$mux", expression: "s[0] ? a : b" },
  { cell: "$pmux", expression: "case" },
  { cell: "$shiftx", expression: "a[s[5:0] +: 64]" },
  { cell: "$dff", expression: "register" },
] as const;

const widths = [65, 66, 95, 96, 97, 127, 128] as const;

/** A candidate whose operands and result are wider than 64 bits; its ports carry them in halves. */
export function drawWide(
  { cell, expression }: (typeof wideKinds)[number],
  name: string,
  random: Random,
  vectorCount: number,
): Candidate {
  // An indexed part select stays inside from 128 bits on.
  const width = cell === "$shiftx" ? 128 : random.pick(widths);
  const resultWidth = random.pick(widths);
  const signed = random.chance(0.5) ? "signed " : "";
  const body =
    expression === "case"
      ? "always @* case (s[2:0]) 0: y = a; 1: y = b; 2: y = ~a; 3: y = {b, 1'b1}; 6: y = 5; default: y = a ^ b; endcase"
      : expression === "register"
        ? `initial y = ${resultWidth}'h123456789abcdef0fedcba987; always @(posedge clk) if (s[0]) y <= a; else if (s[1]) y <= y + b;`
        : `always @* y = ${expression};`;
  const inputs = [
    { name: "al", width: 64 },
    { name: "ah", width: width - 64 },
    { name: "bl", width: 64 },
    { name: "bh", width: width - 64 },
    { name: "s", width: 8 },
  ];
  return {
    name,
    cell,
    inputs,
    outputs: [
      { name: "yl", width: 64 },
      { name: "yh", width: resultWidth - 64 },
    ],
    verilog: [
      `wire ${signed}[${width - 1}:0] a = {ah, al}; wire ${signed}[${width - 1}:0] b = {bh, bl};`,
      `reg ${signed}[${resultWidth - 1}:0] y; assign {yh, yl} = y;`,
      body,
    ].join("\n"),
    vectors: Array.from({ length: vectorCount }, () => {
      const equal = random.chance(0.2);
      const [al, ah] = [random.value(64), random.value(width - 64)];
      const bl = equal ? al : random.value(64);
      const bh = equal && random.chance(0.5) ? ah : random.value(width - 64);
      return [al, ah, bl, bh, BigInt(random.below(256))];
    }),
  };
}
