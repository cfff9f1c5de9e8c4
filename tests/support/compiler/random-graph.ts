import { chained, type IntegerGraph, type Link } from "@/compiler/integer/integer-graph";
import { accumulatorWidth } from "@/compiler/passes/accumulator-width";
import { randomFrom } from "@/compiler/random";

const tableInputWidth = 10;

/**
 * An integer graph with random weights, biases and shifts that use the whole range of each format.
 *
 * @param sizes Inputs, then the outputs of every layer.
 */
export function randomGraph(
  sizes: readonly number[],
  {
    seed,
    relu,
    tables = "none",
  }: {
    readonly seed: number;
    readonly relu: boolean | "mixed";
    /** Which hidden layers end in a table: every second one, or all of them with one and the same. */
    readonly tables?: "none" | "some" | "same";
  },
): IntegerGraph {
  const random = randomFrom(seed);
  const nodes: Link[] = [];
  let inputSigned = true;
  const tableValues = (signed: boolean) =>
    Array.from({ length: 2 ** tableInputWidth }, () =>
      random.integer(signed ? -128 : 0, signed ? 127 : 255),
    );
  const shared = tables === "same" ? tableValues(true) : null;
  for (let layer = 0; layer + 1 < sizes.length; layer++) {
    const inputSize = sizes[layer] ?? 1;
    const outputSize = sizes[layer + 1] ?? 1;
    const last = layer === sizes.length - 2;
    const tabled = !last && (tables === "same" || (tables === "some" && layer % 3 !== 1));
    const hasRelu = !tabled && (relu === "mixed" ? random.integer(0, 1) === 1 : relu && !last);
    const weights = Array.from({ length: inputSize * outputSize }, () => random.integer(-127, 127));
    const bias = Array.from({ length: outputSize }, () => random.integer(-5000, 5000));
    const typical = Math.log2(127 * 64 * Math.sqrt(inputSize));
    const width = last ? 16 : tabled ? tableInputWidth : 8;
    const base = Math.max(0, Math.round(typical - (last ? 13 : width - 1)));
    nodes.push(
      {
        op: "dense",
        name: `dense_${layer}`,
        inputSize,
        outputSize,
        weightWidth: 8,
        weights,
        bias,
        accumulatorWidth: accumulatorWidth({
          inputSize,
          weights,
          bias,
          inputSigned,
          inputWidth: 8,
        }),
      },
      {
        op: "requantize",
        name: `requantize_${layer}`,
        size: outputSize,
        shift: Array.from({ length: outputSize }, () => Math.max(0, base + random.integer(-2, 2))),
        width: last && hasRelu ? 15 : width,
        signed: !hasRelu,
        fraction: 0,
        relu: hasRelu,
      },
    );
    inputSigned = !hasRelu;
    if (!tabled) continue;
    inputSigned = shared !== null || layer % 2 === 1;
    nodes.push({
      op: "table",
      name: `table_${layer}`,
      size: outputSize,
      inputWidth: tableInputWidth,
      inputSigned: true,
      values: shared ?? tableValues(inputSigned),
      width: 8,
      signed: inputSigned,
      fraction: 7,
    });
  }
  return {
    schemaVersion: 2,
    input: { name: "x", size: sizes[0] ?? 1, width: 8, fraction: 5 },
    nodes: chained(nodes),
    output: { name: "y", size: sizes.at(-1) ?? 1, width: 16, fraction: 0 },
  };
}
