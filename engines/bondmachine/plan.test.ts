import { describe, expect, it } from "vitest";
import { listBoardModels } from "@/boards";
import type { Graph } from "@/compiler";
import type { PlanRequest } from "@/engines";
import { recordedGraph } from "@/tests/support/bondmachine/recordings";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { boardwalkEngine } from "../boardwalk";
import { onnxEngine } from "../onnx";
import { readModel } from "../read-model";
import { runReference } from "../reference/reference";
import { bondmachineEngine as engine } from ".";

const iris = planRequest("iris-mlp", "ulx3s-85f");
const withGraph = (graph: Graph, change: Partial<PlanRequest> = {}): PlanRequest => ({
  ...iris,
  card: null,
  ...change,
  model: { ...iris.model, graph },
});
const basmOf = (request: PlanRequest) => String(engine.plan(request).files.get("net.basm"));
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe("a plan of a machine", () => {
  it("is the same for the same request, and another one with other tools", () => {
    const { digest } = engine.plan(iris);
    expect(engine.plan(iris).digest).toBe(digest);
    const toolVersions = { ...iris.toolVersions, basm: "basm 0123456789abcdef" };
    expect(engine.plan({ ...iris, toolVersions }).digest).not.toBe(digest);
  });

  it("sends standardised words, keeps the class names, and leaves softmax to the host", () => {
    const { io, core } = engine.plan({ ...iris, options: { dataType: "fps16f8" } });
    expect(io.inputs).toEqual([
      expect.objectContaining({
        fixedPoint: { width: 16, fraction: 8, signed: true },
        standardise: { mean: expect.any(Array), deviation: expect.any(Array) },
      }),
    ]);
    expect(io.outputs[0]?.labels).toHaveLength(3);
    expect(core).toMatchObject({
      inputBytes: 8,
      outputBytes: 6,
      bytesPerOutput: 2,
      latencyVaries: true,
    });
  });

  it("says whether the range of its inputs came with the request or with the card", () => {
    const inputRange = { min: Array<number>(4).fill(-4), max: Array<number>(4).fill(4) };
    const sourceOf = (card: PlanRequest["card"]) =>
      engine.plan(withGraph(denseGraph([4, 3]), { card })).forecast.calibration?.scaledBy;
    const own = sourceOf({ inputRange });
    const given = sourceOf({ inputRange, rangeFrom: "request" });
    expect(own).toMatch(/card/);
    expect(given).toMatch(/request/);
  });

  it.each([
    { dataType: "float16", float: "FP16", bytes: 8 },
    { dataType: "float32", float: "FP32", bytes: 16 },
  ])("sends $dataType as it is", ({ dataType, float, bytes }) => {
    const request = withGraph(recordedGraph("4-1-2-fps16f8"), { options: { dataType } });
    const { io, core, vectors } = engine.plan(request);
    expect(io.inputs[0]).toMatchObject({ float });
    expect(io.inputs[0]).not.toHaveProperty("standardise");
    expect(core?.inputBytes).toBe(bytes);
    for (const row of vectors) expect(row).toHaveLength(bytes);
  });

  it("computes in 16 bits where that keeps the classes, and says how it was found", () => {
    const { forecast } = engine.plan(iris);
    expect(forecast.notes?.join(" ")).toMatch(/computes in fps16f8\..*none runs over; 100\.0 %/);
  });

  it.each([
    { dataType: "fps16f6", literal: "0fp<16.6>", width: 16, fraction: 6 },
    { dataType: "fps16f12", literal: "0fp<16.12>", width: 16, fraction: 12 },
    { dataType: "fps32f24", literal: "0fp<32.24>", width: 32, fraction: 24 },
  ])(
    "puts the point of $dataType where it was asked for, in program, ports and reference",
    (asked) => {
      const { dataType, literal, width, fraction } = asked;
      const graph = recordedGraph("4-1-2-fps16f8");
      const plan = engine.plan(withGraph(graph, { options: { dataType } }));
      const text = String(plan.files.get("net.basm"));
      expect(text).toContain(`registersize:${width}\n`);
      expect(count(text, new RegExp(`multfps${width}f${fraction} r1, r2`, "g"))).toBe(6);
      expect(text.split(literal)).toHaveLength(1 + 6 + 3);
      expect(plan.io.inputs[0]).toMatchObject({ fixedPoint: { width, fraction } });
      // Nearer to the floats with each bit: a product of one step each is floored to 2^-fraction.
      const one = 2 ** fraction;
      const { output } = runReference(plan.reference!, [one, one, one, one]);
      const exact = engine.plan(withGraph(graph, { options: { dataType: "fps32f24" } })).reference!;
      const fine = runReference(exact, Array<number>(4).fill(2 ** 24)).output;
      for (const [at, word] of output.entries()) {
        expect(Math.abs(word / one - (fine[at] ?? 0) / 2 ** 24)).toBeLessThan(20 / one);
      }
    },
  );

  it("takes 32 bits where values run over 16, and says so", () => {
    const graph = recordedGraph("4-1-2-fps16f8");
    const constants = new Map(
      [...graph.constants].map(([name, each]) => [
        name,
        { ...each, values: each.values.map((value) => value * 30) },
      ]),
    );
    const { forecast } = engine.plan(withGraph({ ...graph, constants }));
    expect(forecast.notes?.join(" ")).toMatch(
      /computes in fps32f16\..*fps16f8: of \d+ rows \d+ run over/,
    );
  });

  it("leaves out small connections, and never the last of a neuron or of a value", () => {
    const graph = denseGraph([6, 8, 4]);
    const whole = basmOf(withGraph(graph, { options: { dataType: "fps16f8" } }));
    const half = basmOf(withGraph(graph, { options: { dataType: "fps16f8", prune: 0.5 } }));
    const bare = basmOf(withGraph(graph, { options: { dataType: "fps16f8", prune: 1 } }));
    const links = (text: string) => count(text, /%meta iodef l_/g);
    expect(links(whole)).toBe(6 * 8 + 8 * 4);
    expect(links(half)).toBeLessThan(links(whole));
    expect(links(bare)).toBeLessThan(links(half));
    for (let input = 0; input < 6; input++) {
      expect(bare).toMatch(new RegExp(`iodef l_0_${input}__`));
    }
    for (const section of bare.split("%endsection").slice(0, 12)) {
      // Ports of a program are numbered without gaps: others would be fed by nothing.
      const ports = [...section.matchAll(/mov r1, i(\d+)/g)].map(([, port]) => Number(port));
      expect(ports).toEqual(ports.map((_, at) => at));
      expect(ports.length).toBeGreaterThan(0);
    }
  });

  it("names nothing after the model: what a name holds reaches no tool", () => {
    const graph = recordedGraph("2-2-1-relu-fps16f8");
    const evil = "$(touch /tmp/x); ../../`id`";
    const renamed: Graph = {
      ...graph,
      nodes: graph.nodes.map((node) => ({ ...node, name: `${evil}${node.name}` })),
      inputs: graph.inputs.map((each) => ({ ...each, name: evil })),
      shapes: new Map(
        [...graph.shapes].map(([name, shape]) => [name === "x" ? evil : name, shape]),
      ),
    };
    const nodes = renamed.nodes.map((node) => ({
      ...node,
      inputs: node.inputs.map((name) => (name === "x" ? evil : name)),
    }));
    const plan = engine.plan(withGraph({ ...renamed, nodes }));
    const args = plan.steps.flatMap((step) => (step.kind === "tool" ? step.args : []));
    expect([...plan.files.keys(), ...args].join(" ")).not.toMatch(/[$`;]|touch/);
    expect(plan.files.get("net.basm")).not.toContain("touch");
    expect(plan.files.get("wrapper.v")).not.toContain("touch");
  });

  it("refuses what does not fit before any tool runs, with what is lacking and where it fits", () => {
    const request = withGraph(recordedGraph("16-16-8-8-5-relu-fps16f8"), {
      board: listBoardModels().find(({ id }) => id === "icebreaker")!,
      options: { dataType: "fps16f8" },
    });
    expect(() => engine.plan(request)).toThrow(
      expect.objectContaining({
        reason: "MODEL_TOO_LARGE",
        details: {
          lacking: expect.arrayContaining([expect.objectContaining({ id: "lut" })]),
          fits: expect.arrayContaining([expect.objectContaining({ board: expect.any(String) })]),
        },
      }),
    );
  });

  it.each([
    [
      "convolutions",
      imageNet([4, 8]),
      "MODEL_UNSUPPORTED",
      /no row of dense layers: node .* is a Conv/,
    ],
    ["wide layers", denseGraph([300, 2]), "MODEL_TOO_LARGE", /300 inputs, and 256/],
    ["many neurons", denseGraph([2, 600]), "MODEL_TOO_LARGE", /600 neurons, and 512/],
  ] as const)("takes no models with %s", (_, graph, reason, message) => {
    const verdict = engine.accepts({ ...iris.model, graph });
    expect(verdict).toMatchObject({
      ok: false,
      problem: { reason, message: expect.stringMatching(message) },
    });
  });

  it("takes no function but ReLU between layers", () => {
    const graph = recordedGraph("2-2-1-relu-fps16f8");
    const nodes = graph.nodes.map((node) =>
      node.operator === "Relu" ? { ...node, operator: "Tanh" } : node,
    );
    expect(engine.accepts({ ...iris.model, graph: { ...graph, nodes } })).toMatchObject({
      ok: false,
      problem: {
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining("followed by Tanh"),
      },
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("takes no weight of %d", (weight) => {
    const graph = recordedGraph("2-2-1-relu-fps16f8");
    const constants = new Map(
      [...graph.constants].map(([name, each]) => [
        name,
        { ...each, values: each.values.map(() => weight) },
      ]),
    );
    expect(engine.accepts({ ...iris.model, graph: { ...graph, constants } }).ok).toBe(false);
  });

  it("writes every constant plainly, however large or small", () => {
    const graph = recordedGraph("1-1-fps16f8");
    const constants = new Map(
      [...graph.constants].map(([name, each], at) => [
        name,
        { ...each, values: Float64Array.of([1e-12, 1e30][at] ?? 0) },
      ]),
    );
    const options = { dataType: "float32" };
    const text = basmOf(withGraph({ ...graph, constants }, { options }));
    expect(text).not.toMatch(/\de[+-]/);
    const literals = [...text.matchAll(/0f<32>(-?[\d.]+)/g)].map(([, each]) =>
      Math.fround(Number(each)),
    );
    expect(literals.sort()).toEqual([Math.fround(1e-12), Math.fround(1e30)].sort());
  });

  it.each([{ dataType: "fps8f4" }, { prune: 2 }, { prune: Number.NaN }, { lanes: 4 }])(
    "refuses the options %o",
    (options) => {
      expect(() => engine.plan({ ...iris, options })).toThrow(
        expect.objectContaining({ reason: "OPTION_INVALID" }),
      );
    },
  );

  it("reads BondMachine's own network files, and so do other engines", () => {
    const at = (Layer: number, Pos: number, Type: string, Bias = 0) => ({ Layer, Pos, Type, Bias });
    const edge = (Layer: number, PosCurrLayer: number, PosPrevLayer: number, Value: number) => ({
      ...{ Layer, PosCurrLayer, PosPrevLayer, Value },
    });
    const range = [0, 1];
    const file = {
      Nodes: [
        ...range.map((pos) => at(0, pos, "input")),
        ...range.map((pos) => at(1, pos, "relu", 0.5)),
        ...range.map((pos) => at(2, pos, "summation", -0.25)),
        ...range.map((pos) => at(3, pos, "softmax")),
        ...range.map((pos) => at(4, pos, "output")),
      ],
      Weights: [1, 2, 3]
        .flatMap((layer) =>
          range.flatMap((to) =>
            range.map((from) => edge(layer, to, from, layer === 3 ? 1 : to - from + 0.5)),
          ),
        )
        .concat(range.map((pos) => edge(4, pos, pos, 1))),
    };
    const model = readModel(new TextEncoder().encode(JSON.stringify(file)), iris.model.digest);
    expect(model.format).toBe("bondmachine-json");
    for (const each of [engine, boardwalkEngine, onnxEngine])
      expect(each.accepts(model)).toEqual({ ok: true });
    const plan = engine.plan({ ...iris, card: null, model });
    expect(plan.io.outputs[0]).toMatchObject({ activation: "softmax", size: 2 });
    expect(count(String(plan.files.get("net.basm")), /cpdef/g)).toBe(4);
  });
});
