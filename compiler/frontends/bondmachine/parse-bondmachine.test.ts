import { describe, expect, it } from "vitest";
import { runGraph } from "../../operators/run-graph";
import { refusalOf, sniff } from "..";
import { parseBondmachineJson } from ".";

type Entry = Record<string, unknown>;
interface File {
  readonly Nodes: Entry[];
  readonly Weights: Entry[];
}

const node = (Layer: number, Pos: number, Type: string, Bias = 0) => ({ Layer, Pos, Type, Bias });
const edge = (Layer: number, PosCurrLayer: number, PosPrevLayer: number, Value: number) => ({
  Layer,
  PosCurrLayer,
  PosPrevLayer,
  Value,
});

/** Two inputs, two neurons with ReLU, two sums, softmax. */
const sample = (): File => ({
  Nodes: [
    ...[0, 1].map((at) => node(0, at, "input")),
    node(1, 0, "relu", 0.5),
    node(1, 1, "relu", -0.25),
    node(2, 0, "summation", 0.125),
    node(2, 1, "summation"),
    ...[0, 1].map((at) => node(3, at, "softmax")),
    ...[0, 1].map((at) => node(4, at, "output")),
  ],
  Weights: [
    edge(1, 0, 0, 1),
    edge(1, 0, 1, -2),
    edge(1, 1, 1, 0.5),
    edge(2, 0, 0, 0.75),
    edge(2, 1, 0, -1),
    edge(2, 1, 1, 3),
    ...[0, 1].flatMap((to) => [0, 1].map((from) => edge(3, to, from, 1))),
    edge(4, 0, 0, 1),
    edge(4, 1, 1, 1),
  ],
});

const bytesOf = (file: unknown) => new TextEncoder().encode(JSON.stringify(file));
const parse = (file: unknown) => parseBondmachineJson(bytesOf(file));

describe("a network of BondMachine", () => {
  it("is told by its content and read as operators", () => {
    const bytes = bytesOf(sample());
    expect(sniff(bytes)).toBe("bondmachine-json");
    expect(refusalOf("bondmachine-json", bytes)).toBeNull();
    const graph = parseBondmachineJson(bytes);
    expect(graph.nodes.map(({ operator }) => operator)).toEqual([
      "Gemm",
      "Relu",
      "Gemm",
      "Softmax",
    ]);
    const [first, second] = [0.5 + 1.5 - 2 * 0.25, -0.25 + 0.5 * 0.25];
    const scores = [0.125 + 0.75 * first, -first + 3 * Math.max(0, second)];
    const total = scores.reduce((sum, each) => sum + Math.exp(each), 0);
    const run = runGraph(
      graph,
      new Map([["inputs", { shape: [1, 2], values: Float64Array.of(1.5, 0.25) }]]),
    );
    const values = Array.from(run.get("outputs")?.values ?? []);
    for (const [at, score] of scores.entries())
      expect(values[at]).toBeCloseTo(Math.exp(score) / total, 6);
  });

  it("is read whatever the case of its keys, and with keys that nobody knows", () => {
    const { Nodes, Weights } = sample();
    const small = (entry: Entry) =>
      Object.fromEntries(
        Object.entries({ ...entry, Inputs: 3 }).map(([key, value]) => [key.toLowerCase(), value]),
      );
    const file = { comment: 1, nodes: Nodes.map(small), weights: Weights.map(small) };
    expect(sniff(bytesOf(file))).toBe("bondmachine-json");
    expect(parse(file)).toEqual(parse(sample()));
  });

  const changed = (change: (file: File) => void) => {
    const file = sample();
    change(file);
    return file;
  };
  const many = (count: number) => Array.from({ length: count }, (_, at) => node(at, 0, "linear"));

  it.each([
    [
      "an edge from a missing node",
      changed(({ Weights }) => Weights.push(edge(1, 0, 7, 1))),
      "MODEL_INVALID",
      /comes from node \(0, 7\)/,
    ],
    [
      "an edge to a missing node",
      changed(({ Weights }) => Weights.push(edge(2, 9, 0, 1))),
      "MODEL_INVALID",
      /leads to node \(2, 9\)/,
    ],
    [
      "an edge into the inputs, which would be a cycle",
      changed(({ Weights }) => Weights.push(edge(0, 0, 1, 1))),
      "MODEL_INVALID",
      /into layer 0/,
    ],
    [
      "an edge beyond the last layer",
      changed(({ Weights }) => Weights.push(edge(9, 0, 0, 1))),
      "MODEL_INVALID",
      /into layer 9/,
    ],
    [
      "an edge twice",
      changed(({ Weights }) => Weights.push(edge(1, 0, 0, 2))),
      "MODEL_INVALID",
      /is there twice/,
    ],
    [
      "a node twice",
      changed(({ Nodes }) => Nodes.push(node(1, 0, "relu"))),
      "MODEL_INVALID",
      /is there twice/,
    ],
    [
      "a gap between nodes",
      changed(({ Nodes }) => Nodes.push(node(1, 4, "relu"))),
      "MODEL_INVALID",
      /\(1, 2\) is missing/,
    ],
    [
      "a weight that is a text",
      changed(({ Weights }) => Weights.push({ ...edge(1, 1, 0, 1), Value: "1; rm -rf /" })),
      "MODEL_INVALID",
      /no finite number/,
    ],
    [
      "a weight beyond float32",
      changed(({ Weights }) => Weights.push(edge(1, 1, 0, 1e300))),
      "MODEL_INVALID",
      /no finite number/,
    ],
    [
      "a negative place",
      changed(({ Nodes }) => Nodes.push(node(-1, 0, "input"))),
      "MODEL_INVALID",
      /Layer of node 10 is -1/,
    ],
    [
      "a neuron of another type",
      changed(({ Nodes }) => (Nodes[2] = node(1, 0, "../../etc/passwd\n"))),
      "OPERATOR_UNSUPPORTED",
      /type "\.\.\/\.\.\/etc\/passwd/,
    ],
    [
      "neurons of two types in a layer",
      changed(({ Nodes }) => (Nodes[2] = node(1, 0, "linear"))),
      "MODEL_UNSUPPORTED",
      /several types/,
    ],
    [
      "a softmax that is no mesh",
      changed(({ Weights }) => Weights.splice(6, 1)),
      "MODEL_UNSUPPORTED",
      /no full mesh/,
    ],
    [
      "fewer outputs than classes, as bmtrain wrote once",
      changed(({ Nodes, Weights }) => {
        Nodes.pop();
        Weights.pop();
      }),
      "MODEL_INVALID",
      /2 nodes in its last layer and 1 outputs/,
    ],
    ["no layers", { Nodes: [], Weights: [] }, "MODEL_INVALID", /no layer between/],
    [
      "10,000 layers",
      { Nodes: many(10_000), Weights: [] },
      "MODEL_TOO_COMPLEX",
      /256 layers are the most/,
    ],
    ["too many nodes", { Nodes: many(20_001), Weights: [] }, "MODEL_TOO_COMPLEX", /20001 nodes/],
    ["lists that are none", { Nodes: [], Weights: 3 }, "MODEL_INVALID", /weights is no list/],
    [
      "nodes that are none",
      { Nodes: [null], Weights: [] },
      "MODEL_INVALID",
      /an object was expected/,
    ],
  ] as const)("with %s is refused", (_, file, reason, message) => {
    expect(() => parse(file)).toThrow(
      expect.objectContaining({ reason, message: expect.stringMatching(message) }),
    );
  });

  it("with NaN, or cut short, is refused", () => {
    const text = JSON.stringify(sample()).replace('"Value":-2', '"Value":NaN');
    const parseText = (each: string) => () => parseBondmachineJson(new TextEncoder().encode(each));
    expect(parseText(text)).toThrow(expect.objectContaining({ reason: "MODEL_INVALID" }));
    expect(parseText(text.slice(0, 300))).toThrow(
      expect.objectContaining({ reason: "MODEL_TRUNCATED" }),
    );
  });

  it("that is too large, or nested too deeply, is refused before it is read", () => {
    expect(() => parseBondmachineJson(new Uint8Array(64 * 2 ** 20 + 1))).toThrow(
      expect.objectContaining({ reason: "MODEL_TOO_COMPLEX" }),
    );
    const deep = new TextEncoder().encode(`{"Nodes":[${"[".repeat(100)}`);
    expect(refusalOf(sniff(deep), deep)).toMatchObject({ reason: "MODEL_TOO_COMPLEX" });
  });
});
