import { countClipped, type IntegerGraph, type runIntegerGraph } from "@/engines";
import type { ArtifactIo, Clipping } from "@/lib/common/contract";
import { boundsOf, type FixedPoint } from "@/lib/common/fixed-point";

export interface ClippingCount {
  /** Takes in a row, and what the integer graph made of it. */
  add(values: Float32Array, run: ReturnType<typeof runIntegerGraph>): void;
  shares(): Clipping[];
}

/** Counts what saturates in the inputs, in each hidden layer and in the scores, row by row. Ranks never do. */
export function countClipping(
  reference: IntegerGraph,
  { inputs: [input] }: ArtifactIo,
): ClippingCount {
  const totals = new Map<string, { clipped: number; values: number }>();
  const count = (tensor: string, clipped: number, values: number) => {
    const total = totals.get(tensor) ?? { clipped: 0, values: 0 };
    totals.set(tensor, { clipped: total.clipped + clipped, values: total.values + values });
  };
  const last = reference.nodes.at(-1)?.name;
  return {
    add(values, run) {
      if (input?.fixedPoint) count("", outside(values, input, input.fixedPoint), values.length);
      for (const each of countClipped(reference, run)) count(each.node, each.clipped, each.values);
    },
    shares: () =>
      [...totals].map(([node, { clipped, values }]) => ({
        tensor: node === "" ? (input?.name ?? "") : node.replace(/\/requantize$/, ""),
        role: node === "" ? "inputs" : node === last ? "scores" : "hidden",
        values,
        share: clipped / Math.max(1, values),
      })),
  };
}

function outside(
  values: ArrayLike<number>,
  { standardise }: ArtifactIo["inputs"][number],
  format: FixedPoint,
): number {
  const { min, max } = boundsOf(format);
  return Array.from(values).filter((value, at) => {
    const scaled = (value - (standardise?.mean[at] ?? 0)) / (standardise?.deviation[at] ?? 1);
    const steps = scaled * 2 ** format.fraction;
    // Half a step beyond the last one still rounds to it.
    return steps > max + 0.5 || steps < min - 0.5;
  }).length;
}
