import { countClipped, isIntegerGraph, type Reference, type ReferenceRun } from "@/engines";
import type { ArtifactIo, Clipping } from "@/lib/common/contract";
import { bytesOfInput, encodeRows } from "@/lib/common/core-io";
import type { Rows } from "@/lib/common/rows";
import { inputTensors } from "../../agreement";

export interface ClippingCount {
  /** Takes in what the software model made of a row. */
  add(run: ReferenceRun): void;
  shares(): Clipping[];
}

/**
 * Counts what saturates in the inputs, in each hidden layer and in the scores of some rows. Ranks and floats never do, and
 * what wraps around instead is no saturation: its distance from the float model shows it.
 */
export function countClipping(reference: Reference, io: ArtifactIo, rows: Rows): ClippingCount {
  const ofNodes: Map<string, Total> = new Map();
  const last = reference.nodes.at(-1)?.name;
  return {
    add(run) {
      if (!isIntegerGraph(reference)) return;
      for (const { node, clipped, values } of countClipped(reference, run)) {
        const total = ofNodes.get(node) ?? { clipped: 0, values: 0 };
        ofNodes.set(node, { clipped: total.clipped + clipped, values: total.values + values });
      }
    },
    shares: () => [
      ...io.inputs
        .filter(({ ranks, float }) => !ranks && !float)
        .map((input) => shareOf(input.name, "inputs", clippedOf(input, io, rows))),
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

const shareOf = (tensor: string, role: Clipping["role"], { clipped, values }: Total): Clipping => ({
  tensor,
  role,
  values,
  share: clipped / Math.max(1, values),
});

/** Of one input: what no step of its grid is near to. */
function clippedOf(input: ArtifactIo["inputs"][number], io: ArtifactIo, rows: Rows): Total {
  const core = {
    inputBytes: bytesOfInput(input),
    outputBytes: 0,
    bytesPerOutput: 1,
    latencyCycles: 0,
  };
  const { clipped } = encodeRows({ ...io, inputs: [input] }, core, inputTensors(io.inputs, rows));
  return {
    clipped: (clipped ?? []).reduce((sum, each) => sum + each, 0),
    values: rows.count * input.size,
  };
}
