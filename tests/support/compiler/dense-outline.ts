import type { Outline } from "@/lib/common/contract";

/** The outline of a net with weights as training leaves them: inputs, then the outputs of every dense layer. */
export function denseOutline(sizes: readonly number[]): Extract<Outline, { kind: "dense" }> {
  const [inputs = 0, ...outputs] = sizes;
  return {
    kind: "dense",
    inputs,
    layers: outputs.map((each, index) => ({
      outputs: each,
      reach: (sizes[index] ?? 1) * reachPerInput,
      table: null,
    })),
  };
}

/** Of normally distributed weights: the mean magnitude by the largest one. */
const reachPerInput = 0.3;
