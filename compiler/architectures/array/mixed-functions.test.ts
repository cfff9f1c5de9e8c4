import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { arrayDesign } from "@/tests/support/compiler/array-design";
import { mapGraph } from "@/tests/support/compiler/map-graph";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { lower } from "../../flows";
import type { Graph } from "../../graph/graph";
import type { IntegerGraph, RequantizeNode } from "../../integer/integer-graph";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { randomFrom } from "../../random";
import { targetOf } from "../../target/part";
import { arrayRefusal } from "./takes";

const target = targetOf(getBoardModel("ulx3s-25f"));

/** A dense net with one function behind each layer. */
function denseNet(sizes: readonly number[], functions: readonly string[], seed: number): Graph {
  const net = mapGraph([-1, sizes[0] ?? 1], seed);
  let value = net.input;
  for (const [layer, operator] of functions.entries()) {
    const [inputs = 1, outputs = 1] = sizes.slice(layer);
    const weights = [[outputs, inputs], [outputs]];
    value = net.add("Gemm", [value], { attributes: { transB: 1 }, weights });
    if (operator !== "") value = net.add(operator, [value]);
  }
  return net.finish(value, [-1, sizes.at(-1) ?? 1]);
}

/** Rows of all bytes that the input's format has. */
function randomRows({ input }: IntegerGraph, count: number): Int8Array[] {
  const random = randomFrom(3);
  const half = 2 ** (input.width - 1);
  return Array.from({ length: count }, () =>
    Int8Array.from({ length: input.size }, () => random.integer(-half, half - 1)),
  );
}

function expectEqual(graph: IntegerGraph): void {
  const { verilog } = arrayDesign(graph, target);
  const rows = randomRows(graph, 60);
  const answers = runIcarus(verilog, rows, { outputs: graph.output.size });
  expect(answers.map(({ values }) => Array.from(values))).toEqual(
    rows.map((row) => Array.from(runIntegerGraph(graph, row).output)),
  );
}

const opsOf = ({ nodes }: IntegerGraph) => nodes.map(({ op }) => op);
const lowered = (graph: Graph) => ({ graph, inputRange: null, calibration: null });

describe("ReLU and looked-up functions in one array", { timeout: 60_000 }, () => {
  it.each([
    { functions: ["Relu", "Tanh", ""], bits: 8 },
    { functions: ["Sigmoid", "Relu", "Tanh", "Relu"], bits: 8 },
    { functions: ["Tanh", "", "Relu", "Softplus", ""], bits: 6 },
    { functions: ["Relu", "Sigmoid", "Relu", ""], bits: 3 },
  ])("answer as the integer graph: $functions at $bits bits", ({ functions, bits }) => {
    const sizes = [5, 9, 7, 12, 6, 4].slice(0, functions.length + 1);
    const { integerGraph } = lower({
      ...lowered(denseNet(sizes, functions, bits)),
      precision: { inputBits: Math.max(bits, 4), weightBits: [bits], activationBits: bits },
    });
    expect(opsOf(integerGraph)).toContain("table");
    expectEqual(integerGraph);
  });
});

describe("graphs as quantised models have them", { timeout: 60_000 }, () => {
  const plain = randomGraph([6, 5, 7, 3], { seed: 11, relu: true });
  /** The graph with changes to its requantisations, all of them or the last one. */
  const changed = (which: "all" | "last", change: Partial<RequantizeNode>): IntegerGraph => ({
    ...plain,
    nodes: plain.nodes.map((node, place) =>
      node.op === "requantize" && (which === "all" || place === plain.nodes.length - 1)
        ? { ...node, ...change }
        : node,
    ),
  });

  it("clamp unsigned values at 0 where no ReLU is named", () => {
    const graph = changed("all", { relu: false });
    expect(graph.nodes[1]).toMatchObject({ signed: false, relu: false });
    expect(arrayRefusal(graph)).toBeNull();
    expectEqual(graph);
  });

  it("are refused where scores saturate at fewer bits than the array's", () => {
    expect(arrayRefusal(plain)).toBeNull();
    expect(arrayRefusal(changed("last", { width: 8 }))).toMatch(/saturates otherwise/);
  });

  it("are refused where a table follows the last layer", () => {
    const tabled = randomGraph([6, 5, 3], { seed: 11, relu: true, tables: "same" });
    const graph = { ...tabled, nodes: tabled.nodes.slice(0, 3) };
    expect(graph.nodes.at(-1)?.op).toBe("table");
    expect(arrayRefusal(graph)).toMatch(/behind the last layer/);
  });
});
