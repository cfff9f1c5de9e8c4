import { chained, type IntegerGraph, type Link } from "@/compiler/integer/integer-graph";
import { accumulatorWidth } from "@/compiler/passes/accumulator-width";
import { randomFrom } from "@/compiler/random";

export interface RandomNet {
  /** Inputs, then the outputs of every layer. */
  readonly sizes: readonly number[];
  readonly weightWidth: number;
  readonly activationWidth: number;
  readonly seed: number;
}

/** Weights are drawn with this deviation, in parts of the largest, and clipped there. */
const weightDeviation = 0.4;

/** A network of clipped Gaussian weights; 8-bit inputs, ReLU, hidden values that use the range of their format. */
export function randomNet({ sizes, weightWidth, activationWidth, seed }: RandomNet): IntegerGraph {
  const random = randomFrom(seed);
  const largest = 2 ** (weightWidth - 1) - 1;
  const nodes: Link[] = [];
  for (const [layer, outputSize] of sizes.slice(1).entries()) {
    const inputSize = sizes[layer] ?? 1;
    const last = layer === sizes.length - 2;
    const weights = Array.from({ length: inputSize * outputSize }, () =>
      Math.min(
        largest,
        Math.max(-largest, Math.round(random.normal() * largest * weightDeviation)),
      ),
    );
    const bias = Array.from({ length: outputSize }, () => Math.round(random.normal() * 500));
    const inputWidth = layer === 0 ? 8 : activationWidth;
    // Sums are about as wide as products plus half the bits that counting the inputs takes; the largest values saturate.
    const spread = weightWidth + inputWidth - 2 + Math.log2(inputSize) / 2;
    const shift = Math.max(0, Math.round(last ? spread - 14 : spread - activationWidth - 1));
    nodes.push(
      {
        op: "dense",
        name: `dense_${layer}`,
        inputSize,
        outputSize,
        weightWidth,
        weights,
        bias,
        accumulatorWidth: accumulatorWidth({
          inputSize,
          weights,
          bias,
          inputSigned: layer === 0,
          inputWidth,
        }),
      },
      {
        op: "requantize",
        name: `requantize_${layer}`,
        size: outputSize,
        shift: Array.from({ length: outputSize }, () => shift),
        width: last ? 16 : activationWidth,
        signed: last,
        fraction: 0,
        relu: !last,
      },
    );
  }
  return {
    schemaVersion: 2,
    input: { name: "x", size: sizes[0] ?? 1, width: 8, fraction: 5 },
    nodes: chained(nodes),
    output: { name: "y", size: sizes.at(-1) ?? 1, width: 16, fraction: 0 },
  };
}
