import { describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { type QuantizedNet, quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import type { IntegerGraph } from "../../integer/integer-graph";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerQuantized } from "../../lower/quantized";
import { unroll } from "./design-unrolled";

const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });
const unsigned = (fraction: number, zero = 0) => ({ type: "UINT8" as const, zero, fraction });

const nets: readonly (QuantizedNet & { readonly why: string })[] = [
  {
    why: "ties to even, sums as scores",
    sizes: [4, 6, 3],
    input: signed(5),
    stops: [signed(3), null],
  },
  {
    why: "bounds that are no powers of two",
    sizes: [4, 6, 3],
    input: unsigned(4, 100),
    stops: [unsigned(3, 37), unsigned(1, 201)],
  },
  {
    why: "ReLU, and biases finer than the sums",
    sizes: [4, 7, 3],
    input: signed(4),
    stops: [unsigned(3), signed(2)],
    between: ["Relu", null],
    floatBias: true,
  },
  {
    why: "one bit and no bit below the step",
    sizes: [3, 6, 6, 2],
    input: signed(2),
    stops: [signed(7), signed(12), signed(13)],
    perChannel: false,
  },
  {
    why: "tanh between two grids",
    sizes: [4, 5, 3],
    input: signed(5),
    stops: [signed(6), null],
    between: ["Tanh", null],
  },
];

function differences(
  graph: IntegerGraph,
  rows: readonly Int8Array[],
  change = (text: string) => text,
) {
  const core = unroll(graph, { costs: familyCosts("ice40") });
  const watch = [...new Set(core.taps.map(({ signal }) => signal))];
  const { size, width } = graph.output;
  const shape = { outputs: size, bytesPerOutput: width / 8, watch };
  return runIcarus(change(core.emit()), rows, shape).flatMap((answer, index) => {
    const { nodes, output } = runIntegerGraph(graph, rows[index] ?? []);
    const wrong = core.taps.filter(
      ({ node, element, signal, cycle }) =>
        answer.traces.get(signal)?.[cycle] !== nodes.get(node)?.[element],
    );
    const same = [...answer.values].join() === [...output].join();
    return wrong.length > 0 || !same ? [wrong.map(({ node }) => node)] : [];
  });
}

describe("the unrolled core of a quantised model", { timeout: 120_000 }, () => {
  it.each(nets)("equals the integer graph at every tap: $why", ({ why: _, ...net }) => {
    const { integerGraph, vectors } = lowerQuantized(quantizedGraph(net));
    expect(differences(integerGraph, vectors().slice(0, 400))).toEqual([]);
  });

  it("differs on some vectors where halves go up instead of to the even value", () => {
    const [net] = nets;
    if (!net) throw new Error("no net");
    const { integerGraph, vectors } = lowerQuantized(quantizedGraph(net));
    const rows = vectors().slice(0, 400);
    const wrong = differences(integerGraph, rows, (text) =>
      text.replaceAll(/ & \|\(s[^)]*\)/g, ""),
    );
    expect(wrong.length).toBeGreaterThan(0);
    expect(new Set(wrong.map(([first]) => first))).toEqual(new Set(["matmul_3/requantize"]));
  });
});
