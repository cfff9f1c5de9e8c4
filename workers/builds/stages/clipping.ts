import { countClipped, isIntegerGraph, type Reference, type ReferenceRun } from "@/engines";
import type { ArtifactIo, Clipping } from "@/lib/common/contract";
import { boundsOf, type FixedPoint } from "@/lib/common/fixed-point";
import { partsOfRow } from "../../agreement";

export interface ClippingCount {
  /** Takes in a row, and what the integer graph made of it. */
  add(row: Float32Array, run: ReferenceRun): void;
  shares(): Clipping[];
}

/** Counts what saturates in the inputs, in each hidden layer and in the scores, row by row. Ranks never do. */
export function countClipping(reference: Reference, { inputs }: ArtifactIo): ClippingCount {
  const [ofInputs, ofNodes]: [Totals, Totals] = [new Map(), new Map()];
  const last = reference.nodes.at(-1)?.name;
  return {
    add(row, run) {
      for (const { input, values } of partsOfRow(row, inputs)) {
        if (!input.fixedPoint) continue;
        const clipped = outside(values, input, input.fixedPoint);
        count(ofInputs, input.name, { clipped, values: values.length });
      }
      // What wraps around instead is no saturation: its distance from the float model shows it.
      if (!isIntegerGraph(reference)) return;
      for (const { node, ...each } of countClipped(reference, run)) count(ofNodes, node, each);
    },
    shares: () => [
      ...[...ofInputs].map(([tensor, total]) => shareOf(tensor, "inputs", total)),
      ...[...ofNodes].map(([node, total]) =>
        shareOf(node.replace(/\/requantize$/, ""), node === last ? "scores" : "hidden", total),
      ),
    ],
  };
}

interface Total {
  readonly clipped: number;
  readonly values: number;
}

type Totals = Map<string, Total>;

function count(totals: Totals, tensor: string, { clipped, values }: Total): void {
  const total = totals.get(tensor) ?? { clipped: 0, values: 0 };
  totals.set(tensor, { clipped: total.clipped + clipped, values: total.values + values });
}

const shareOf = (tensor: string, role: Clipping["role"], { clipped, values }: Total): Clipping => ({
  tensor,
  role,
  values,
  share: clipped / Math.max(1, values),
});

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
