import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { parseOnnx } from "../../frontends/onnx";
import {
  chained,
  type IntegerGraph,
  type Link,
  type TableNode,
  type Unplaced,
} from "../../integer/integer-graph";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerDense } from "../../lower/dense";
import { accumulatorWidth } from "../../passes/accumulator-width";
import { randomFrom } from "../../random";
import { unroll } from "./design-unrolled";

/** A random graph whose hidden layers end in random tables of `bits` bits. */
function withTables(sizes: readonly number[], bits: number, signed: boolean): IntegerGraph {
  const graph = randomGraph(sizes, { seed: 9, relu: false });
  const random = randomFrom(bits);
  const nodes = graph.nodes.flatMap((each, index): readonly Link[] => {
    const node = each as Link;
    if (node.op === "dense" && index > 0) {
      const format = { inputSigned: signed, inputWidth: 8 };
      return [{ ...node, accumulatorWidth: accumulatorWidth({ ...node, ...format }) }];
    }
    if (node.op !== "requantize" || index === graph.nodes.length - 1) return [node];
    const table: Unplaced<TableNode> = {
      op: "table",
      name: `table_${index}`,
      size: node.size,
      inputWidth: bits,
      inputSigned: true,
      values: Array.from({ length: 2 ** bits }, () =>
        signed ? random.integer(-128, 127) : random.integer(0, 255),
      ),
      width: 8,
      signed,
      fraction: 7,
    };
    return [{ ...node, width: bits }, table];
  });
  return { ...graph, nodes: chained(nodes) };
}

function randomRows(count: number, size: number): Int8Array[] {
  const random = randomFrom(3);
  return Array.from({ length: count }, () =>
    Int8Array.from({ length: size }, () => random.integer(-128, 127)),
  );
}

function expectEqual(
  graph: IntegerGraph,
  rows: readonly Int8Array[],
  options: {
    readonly registerEvery?: number;
    readonly ram?: { blocks: number; blockBits: number };
  },
) {
  const core = unroll(graph, { costs: familyCosts("ice40"), ...options });
  const watch = [...new Set(core.taps.map(({ signal }) => signal))];
  const answers = runIcarus(core.emit(), rows, { outputs: graph.output.size, watch });
  for (const [index, answer] of answers.entries()) {
    const { nodes, output } = runIntegerGraph(graph, rows[index] ?? []);
    const wrong = core.taps.filter(
      ({ node, element, signal, cycle }) =>
        answer.traces.get(signal)?.[cycle] !== nodes.get(node)?.[element],
    );
    expect({ index, wrong }).toEqual({ index, wrong: [] });
    expect([...answer.values]).toEqual([...output]);
    expect(answer.cycles).toBe(core.latencyCycles);
  }
  return core;
}

describe("tables in the unrolled core", { timeout: 120_000 }, () => {
  const ram = { blocks: 30, blockBits: 4096 };
  it.each([
    { bits: 8, signed: true, registerEvery: 1, ram },
    { bits: 9, signed: false, registerEvery: 1, ram },
    { bits: 10, signed: true, registerEvery: 3, ram: { blocks: 0, blockBits: 4096 } },
  ])(
    "equal the integer graph at every tap: $bits bits, a register every $registerEvery",
    (each) => {
      const graph = withTables([4, 7, 6, 3], each.bits, each.signed);
      const core = expectEqual(graph, randomRows(40, 4), each);
      expect(new Set(core.taps.map(({ node }) => node))).toEqual(
        new Set(graph.nodes.map(({ name }) => name)),
      );
    },
  );

  it("are in block RAM as far as there is any, and in logic otherwise", () => {
    const graph = withTables([4, 7, 6, 3], 9, true);
    const placed = [0, 12, 13].map((blocks) => {
      const core = unroll(graph, { costs: familyCosts("ice40"), ram: { blocks, blockBits: 4096 } });
      return { blocks: core.estimate.bramBlocks, text: core.emit().includes('"block"') };
    });
    expect(placed).toEqual([
      { blocks: 0, text: false },
      { blocks: 0, text: false },
      { blocks: 13, text: true },
    ]);
  });

  it("answer diabetes-mlp, whose layer is tanh, on its vector file", () => {
    const graph = parseOnnx(readFileSync("tests/fixtures/models/diabetes-mlp/model.onnx"));
    const lowered = lowerDense({ graph, inputRange: null, calibration: null });
    expect(lowered.integerGraph.nodes.map(({ op }) => op)).toEqual([
      "dense",
      "requantize",
      "table",
      "dense",
      "requantize",
    ]);
    expectEqual(lowered.integerGraph, lowered.vectors().slice(0, 200), { ram });
  });
});
