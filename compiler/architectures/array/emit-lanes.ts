import { lanesPerMemory } from "../../verilog/memory";
import type { LaneMultipliers } from "./multipliers";
import { multiplyModules } from "./multiply";

interface Lanes extends LaneMultipliers {
  readonly lanes: number;
  /** Bits of an accumulator. */
  readonly width: number;
}

/** The modules that the lanes' multipliers need. */
export function emitMultiply({ lanes, paired, inCells }: Lanes): string {
  if (paired) return multiplyModules.paired;
  return [
    ...(inCells < lanes ? [multiplyModules.inferred] : []),
    ...(inCells > 0 ? [multiplyModules.ofCells] : []),
  ].join("\n");
}

/**
 * Multiply, accumulate; a group's sums move into the drain register with its last product, while the accumulators begin
 * again at 0.
 */
export function emitLanes(choice: Lanes): string {
  const { lanes } = choice;
  const each = Array.from({ length: lanes }, (_, lane) => lane);
  const products = choice.paired
    ? each.filter((lane) => lane % 2 === 0).map((lane) => emitPair(lane, lanes))
    : each.map((lane) => emitProduct(lane, lane < lanes - choice.inCells));
  return [...products, ...each.map((lane) => emitSum(lane, choice))].join("\n");
}

function emitPair(lane: number, lanes: number): string {
  const whole = lane + 1 < lanes;
  return `  wire signed [15:0] product_${lane}, product_${lane + 1};
  multiply_pair multiply_${lane} (
    .clk(clk), .a(activation), .b_0(${weightOf(lane)}), .b_1(${whole ? weightOf(lane + 1) : "8'sd0"}),
    .product_0(product_${lane}), .product_1(product_${lane + 1})
  );`;
}

function emitProduct(lane: number, inferred: boolean): string {
  return `  wire signed [15:0] product_${lane};
  multiply${inferred ? "" : "_in_cells"} multiply_${lane} (.clk(clk), .a(activation), .b(${weightOf(lane)}), .product(product_${lane}));`;
}

function emitSum(lane: number, { lanes, width }: Lanes): string {
  const next = lane === lanes - 1 ? `${width}'sd0` : `drain_${lane + 1}`;
  return `  reg signed [${width - 1}:0] accumulator_${lane}, drain_${lane};
  wire signed [${width - 1}:0] sum_${lane} = accumulator_${lane} + product_${lane};
  always @(posedge clk) begin
    if (accumulate) accumulator_${lane} <= clear ? ${width}'sd0 : sum_${lane};
    drain_${lane} <= deliver ? sum_${lane} : ${next};
  end
`;
}

function weightOf(lane: number): string {
  const low = (lane % lanesPerMemory) * 8;
  return `weights_${Math.floor(lane / lanesPerMemory)}_word[${low + 7}:${low}]`;
}
