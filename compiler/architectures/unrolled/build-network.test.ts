import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import type { DenseNode, IntegerGraph } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { accumulatorWidth } from "../../passes/accumulator-width";
import { buildNetwork } from "./build-network";
import { proveLayer } from "./prove";

const costs = familyCosts("ice40");

/** One layer of the weights given, without rounding. */
function layerOf(rows: readonly (readonly number[])[], bias?: readonly number[]): IntegerGraph {
  const inputSize = rows[0]?.length ?? 0;
  const layer = {
    inputSize,
    weights: rows.flat(),
    bias: bias ?? rows.map(() => 0),
    inputSigned: true,
    inputWidth: 8,
  };
  const dense: DenseNode = {
    op: "dense",
    name: "dense",
    from: -1,
    ...layer,
    outputSize: rows.length,
    weightWidth: 8,
    accumulatorWidth: accumulatorWidth(layer),
  };
  const size = rows.length;
  return {
    schemaVersion: 2,
    input: { name: "x", size: inputSize, width: 8, fraction: 5 },
    nodes: [
      dense,
      {
        op: "requantize",
        name: "requantize",
        from: 0,
        size,
        shift: rows.map(() => 0),
        width: 32,
        signed: true,
        fraction: 0,
        relu: false,
      },
    ],
    output: { name: "y", size, width: 32, fraction: 0 },
  };
}

const addersOf = (rows: readonly (readonly number[])[], bias?: readonly number[]) =>
  buildNetwork(layerOf(rows, bias), costs).signals.filter(
    ({ kind }) => kind === "sum" || kind === "offset",
  ).length;

describe("unrolling a layer", { timeout: 60_000 }, () => {
  it("takes no adder for the sign of a row whose lowest digits are all subtracted", () => {
    expect(addersOf([[-1, 4]], [8])).toBe(2);
    expect(addersOf([[-3, 4, -8]], [64])).toBe(4);
  });

  // Building proves itself: it throws where an adder graph is not its weights.
  it("is exact for matrices of 2 to 8 bits, zero rows and equal rows among them", () => {
    const matrix = fc
      .tuple(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 9 }))
      .chain(([bits, inputs]) => {
        const largest = 2 ** (bits - 1) - 1;
        const row = fc.array(fc.integer({ min: -largest, max: largest }), {
          minLength: inputs,
          maxLength: inputs,
        });
        return fc.array(row, { minLength: 1, maxLength: 8 });
      });
    fc.assert(
      fc.property(matrix, fc.integer({ min: -3000, max: 3000 }), (rows, bias) => {
        const zeros = rows[0]?.map(() => 0) ?? [];
        const all = [...rows, zeros, rows[0] ?? []];
        const graph = layerOf(
          all,
          all.map((_, index) => bias * index),
        );
        for (const each of [costs, familyCosts("ecp5")])
          expect(() => buildNetwork(graph, each, 3)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    { rows: [[0, 0, 0]], adders: 0, why: "zero weights cost nothing" },
    { rows: [[64, 0, 0]], adders: 0, why: "a power of two is wires" },
    { rows: [[5]], adders: 1, why: "two digits" },
    { rows: [[1, 1, 1, 1]], adders: 3, why: "a sum of four" },
    { rows: [[45]], adders: 2, why: "5 times 9" },
  ])("takes $adders adders for $rows ($why)", ({ rows, adders }) => {
    expect(addersOf(rows)).toBe(adders);
  });

  it("takes no adder for a constant where carry chains take it", () => {
    const kindsOf = (rows: readonly (readonly number[])[], bias: readonly number[]) =>
      buildNetwork(layerOf(rows, bias), familyCosts("ecp5"))
        .signals.map(({ kind }) => kind)
        .filter((kind) => kind === "sum" || kind === "biased" || kind === "offset");
    expect(kindsOf([[1, 1]], [77])).toEqual(["biased"]);
    expect(kindsOf([[1, 4, -8]], [65]).toSorted()).toEqual(["biased", "sum"]);
    expect(kindsOf([[1, 1, 1, 1]], [-77]).toSorted()).toEqual(["biased", "sum", "sum"]);
    // Of two terms with different signs none takes it.
    expect(kindsOf([[1, -1]], [77]).toSorted()).toEqual(["offset", "sum"]);
  });

  it.each([1, 2, -1])("sums a row and %i times the same row as little more than one", (factor) => {
    const row = [5, 9, -3, 7];
    const twice = addersOf([row, row.map((weight) => weight * factor)], [3, 8]);
    expect(twice).toBeLessThanOrEqual(addersOf([row], [3]) + 2);
  });

  it("shares a third of the adders of a dense layer", () => {
    const graph = randomGraph([16, 16], { seed: 4, relu: false });
    const digits = 16 * 16 * 2.6;
    const adders = buildNetwork(graph, costs).signals.filter(({ kind }) => kind === "sum").length;
    expect(adders).toBeLessThan(0.67 * digits);
  });

  it("leaves out neurons that nothing uses and folds what is constant", () => {
    const graph = randomGraph([4, 3, 2], { seed: 9, relu: true });
    const nodes = graph.nodes.map((node, index) => {
      if (node.op !== "dense") return node;
      if (index > 0) {
        return { ...node, weights: node.weights.map((w, i) => (i % 3 === 1 ? 0 : w)) };
      }
      // Neuron 2 is below zero for every row.
      return { ...node, bias: node.bias.map((b, o) => (o === 2 ? -1_000_000 : b)) };
    });
    const { layers } = buildNetwork({ ...graph, nodes }, costs);
    expect(layers[0]?.sums[1]).toBeNull();
    expect(layers[0]?.values[2]).toEqual({ kind: "constant", constant: 0 });
    expect(layers[1]?.inputs.filter(({ kind }) => kind === "term")).toHaveLength(1);
  });
});

describe("the proof", () => {
  const graph = randomGraph([6, 5, 3], { seed: 12, relu: true });
  const network = buildNetwork(graph, costs);
  const stages = layersOf(graph);

  it.each([0, 1])("finds one flipped bit in a weight, a bias and a shift of layer %i", (layer) => {
    const stage = stages[layer];
    if (!stage) throw new Error("there is no such layer");
    const { dense, requantize } = stage;
    const flip = (values: readonly number[], index: number) =>
      values.with(index, (values[index] ?? 0) ^ 4);
    expect(() => proveLayer(network, layer, stage)).not.toThrow();
    for (const index of dense.weights.keys()) {
      const changed = { ...dense, weights: flip(dense.weights, index) };
      expect(() => proveLayer(network, layer, { dense: changed, requantize })).toThrow(
        `output ${Math.floor(index / dense.inputSize)} `,
      );
    }
    const biased = { ...dense, bias: flip(dense.bias, 1) };
    expect(() => proveLayer(network, layer, { dense: biased, requantize })).toThrow("output 1 ");
    const shift = requantize.shift.with(2, (requantize.shift[2] ?? 0) + 1);
    const shifted = { ...requantize, shift };
    expect(() => proveLayer(network, layer, { dense, requantize: shifted })).toThrow("output 2 ");
  });
});
