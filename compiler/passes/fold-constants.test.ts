import { describe, expect, it } from "vitest";
import { loadSample } from "@/tests/support/compiler/samples";
import { lower } from "../flows";
import type { Graph, GraphConstant } from "../graph/graph";
import { foldConstants } from "./fold-constants";

/** The sample with one weight stored the other way round, behind a `Transpose`; or with some other node before a weight. */
function withNode(operator: string, change: (weight: GraphConstant) => GraphConstant): Graph {
  const { graph } = loadSample("iris-mlp");
  const reader = graph.nodes.find(({ operator: each }) => each === "Gemm" || each === "MatMul");
  const weight = graph.constants.get(reader?.inputs[1] ?? "");
  if (!weight) throw new TypeError("The sample has no weight.");
  const stored = change({ ...weight, name: "stored" });
  const node = {
    name: "before",
    operator,
    domain: "",
    inputs: ["stored"],
    outputs: [weight.name],
    attributes: {},
  };
  const constants = new Map(graph.constants).set("stored", stored);
  constants.delete(weight.name);
  return { ...graph, nodes: [node, ...graph.nodes], constants };
}

const transposed = ({ shape, values, ...rest }: GraphConstant): GraphConstant => {
  const [rows = 1, columns = 1] = shape;
  const at = (index: number) => values[(index % rows) * columns + Math.floor(index / rows)] ?? 0;
  return { ...rest, shape: [columns, rows], values: Float64Array.from(values, (_, i) => at(i)) };
};

const unknown = { inputRange: null, calibration: null };

describe("constants", () => {
  it("that a node computes of others compile as if the file had them", () => {
    const plain = lower({ graph: loadSample("iris-mlp").graph, ...unknown }).integerGraph;
    expect(lower({ graph: withNode("Transpose", transposed), ...unknown }).integerGraph).toEqual(
      plain,
    );
    const negated = withNode("Neg", (weight) => ({
      ...weight,
      values: weight.values.map((value) => -value),
    }));
    expect(lower({ graph: negated, ...unknown }).integerGraph).toEqual(plain);
  });

  it("are left alone where a node leaves out what it must have", () => {
    const graph = withNode("Add", (weight) => weight);
    const nodes = graph.nodes.map((node) =>
      node.name === "before" ? { ...node, inputs: ["stored", ""] } : node,
    );
    expect(foldConstants({ ...graph, nodes }).nodes).toHaveLength(nodes.length);
  });

  it("are left alone where nothing computes them, and where that would take too long", () => {
    const { graph } = loadSample("iris-mlp");
    expect(foldConstants(graph)).toBe(graph);
    const long = new Float64Array(2 ** 14);
    const huge = ["a", "b"].map((name) => ({
      name,
      datatype: "FP32",
      shape: [2 ** 14],
      values: long,
    }));
    const product = { ...withNode("Neg", (weight) => weight).nodes[0], operator: "Mul" };
    const bomb = {
      ...graph,
      nodes: [
        { ...product, inputs: ["a", "b"], name: "n", domain: "", outputs: ["c"], attributes: {} },
      ],
      constants: new Map(huge.map((each) => [each.name, each])),
    };
    expect(foldConstants(bomb)).toBe(bomb);
  });
});
