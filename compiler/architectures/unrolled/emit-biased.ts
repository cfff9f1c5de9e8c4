import { widthOf } from "../../integer/range";
import { type BitVector, bitsOf, concatenate, literal } from "./bit-vector";
import type { Network, Signal } from "./network";
import { wiresBelow } from "./network-builder";
import { wireOf } from "./network-text";

/** A sum of two numbers and a constant as a module of its own, which families with such carry chains map by themselves. */
const cell = `\
module sum_with_constant #(parameter WIDTH = 1, parameter [WIDTH-1:0] CONSTANT = 0) (
  input [WIDTH-1:0] a,
  input [WIDTH-1:0] b,
  output [WIDTH-1:0] y
);
  assign y = a + b + CONSTANT;
endmodule
`;

/** The modules that a network's sums with constants are instances of; nothing where it has none. */
export const biasedCells = ({ signals }: Network): string =>
  signals.some(({ kind }) => kind === "biased") ? cell : "";

/** Lines that make a sum with a constant, and the right-hand side of its wire. */
export function biasedSum(
  id: number,
  signal: Extract<Signal, { kind: "biased" }>,
  { left, right }: { readonly left: BitVector; readonly right: BitVector },
): { readonly lines: readonly string[]; readonly expression: string } {
  const { shift, constant } = signal;
  const low = wiresBelow(shift, constant);
  const zeros = shift - low;
  const width = widthOf(signal) - low;
  const b = concatenate(bitsOf(right, 0, width - zeros), zeros === 0 ? null : literal(0, zeros));
  const y = `${wireOf(id)}_sum`;
  const added = literal(Math.floor(constant / 2 ** low), width);
  return {
    lines: [
      `  wire [${width - 1}:0] ${y};`,
      `  sum_with_constant #(.WIDTH(${width}), .CONSTANT(${added})) add_${id} (.a(${bitsOf(left, low, width)}), .b(${b}), .y(${y}));`,
    ],
    expression: concatenate(y, low === 0 ? null : bitsOf(left, 0, low)),
  };
}
