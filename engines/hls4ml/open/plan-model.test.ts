import { readFileSync } from "node:fs";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { loadReader } from "@/compiler";
import { digestOf } from "@/lib/server/digest";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { engineVerdicts, getEngine, type ParsedModel, type Plan, readModel } from "../..";

const bytes = new Uint8Array(readFileSync("tests/fixtures/hgq2/mlp.keras"));
const engine = getEngine("hls4ml");
let model: ParsedModel;
beforeAll(async () => {
  await loadReader("keras");
  model = readModel(bytes, digestOf(bytes));
});

const planOn = (board: string, options: Record<string, unknown> = {}): Plan =>
  engine.plan({ ...planRequest("iris-mlp", board, { options, card: null }), model });

/** The file with another configuration. */
function changed(edit: (config: string) => string): Uint8Array {
  const files = unzipSync(bytes);
  const config = files["config.json"] ?? new Uint8Array();
  return zipSync({ ...files, "config.json": strToU8(edit(strFromU8(config))) });
}

describe("a Keras file with layers of HGQ2", () => {
  it("is read as far as layers, shapes and weights go, and never run", () => {
    const { graph } = model;
    expect(graph?.nodes.map(({ domain, operator }) => `${domain}.${operator}`)).toEqual([
      "hgq.QDense",
      "hgq.QDense",
    ]);
    expect(graph?.nodes[0]?.attributes).toEqual({ activation: "relu" });
    expect(graph?.inputs).toMatchObject([{ name: "features", shape: [-1, 4] }]);
    expect(graph?.outputs).toMatchObject([{ name: "scores", shape: [-1, 3] }]);
    expect([...(graph?.constants.values() ?? [])].map(({ shape }) => shape)).toEqual([
      [4, 8],
      [8],
      [8, 3],
      [3],
    ]);
  });

  it.each([
    {
      id: "conv",
      layers: ["QConv2D", "MaxPool", "QBatchNormalization", "QDense"],
      shapes: [
        [-1, 3, 3, 2],
        [-1, 2, 2, 2],
      ],
      matrices: ["4,2", "8,3"],
    },
    {
      id: "table",
      layers: ["QDense", "QUnaryFunctionLUT", "QBatchNormDense", "QDense"],
      shapes: [[-1, 4]],
      matrices: ["4,4", "4,4", "4,3"],
    },
    {
      id: "einsum",
      layers: ["QEinsumDense", "QDense"],
      shapes: [[-1, 3, 4]],
      matrices: ["2,4", "12,3"],
    },
  ])("has shapes and sizes of further layers: $id", ({ id, layers, shapes, matrices }) => {
    const file = new Uint8Array(readFileSync(`tests/fixtures/hgq2/${id}.keras`));
    const { graph } = readModel(file, digestOf(file));
    const nodes = graph?.nodes ?? [];
    const kinds = nodes.map(({ operator }) => operator);
    expect(kinds.filter((kind) => layers.includes(kind))).toEqual(layers);
    const made = nodes.filter(({ domain }) => domain === "hgq").flatMap(({ outputs }) => outputs);
    const found = made.map((name) => graph?.shapes.get(name));
    expect(found.slice(0, shapes.length)).toEqual(shapes);
    const read = [...(graph?.constants.values() ?? [])].filter(({ shape }) => shape.length === 2);
    expect(read.map(({ shape }) => shape.join())).toEqual(matrices);
  });

  it("is taken by the hls4ml engine alone, which the others name", () => {
    const verdicts = engineVerdicts(model);
    expect(verdicts.filter(({ ok }) => ok).map(({ id }) => id)).toEqual(["hls4ml"]);
    for (const id of ["boardwalk", "bondmachine", "tensorflow"]) {
      expect(verdicts.find((each) => each.id === id)).toMatchObject({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining("layer of HGQ2 (QDense)"),
        hint: expect.stringContaining("hls4ml engine"),
      });
    }
  });

  it("has a plan in which da4ml reads the file, and the software model comes out of a step", () => {
    const plan = planOn("ulx3s-25f");
    expect(plan.files.get("model.keras")).toEqual(bytes);
    expect(plan.referenceFrom).toBe("graph.json");
    expect(plan.files.has("graph.json")).toBe(false);
    const [trace, gather] = plan.steps;
    expect(trace?.reads).toContain("model.keras");
    expect(gather?.produces).toEqual(["core.v", "graph.json"]);
    const task = JSON.parse(String(plan.files.get("trace.json")));
    expect(task.input).toEqual({ width: 16, integers: 6 });
    expect(task.rows).toHaveLength(plan.vectors.length);
    expect(plan.core).toMatchObject({ inputBytes: 8, outputBytes: 12, bytesPerOutput: 4 });
    expect(plan.io.inputs[0]).toMatchObject({ fixedPoint: { width: 16, fraction: 10 } });
    expect(plan.io.outputs[0]).toMatchObject({ fixedPoint: { width: 32, fraction: 16 } });
  });

  it("sends narrower inputs as it is told, and no wider ones than two bytes", () => {
    expect(planOn("ulx3s-25f", { width: 8, integerBits: 3 })).toMatchObject({
      core: { inputBytes: 4 },
      io: { inputs: [{ fixedPoint: { width: 8, fraction: 5 } }] },
    });
    expect(() => planOn("ulx3s-25f", { width: 20 })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID", field: "options.width" }),
    );
  });

  it("lists its layers for settings of their own", () => {
    const settings = engine.optionLayers?.(model).map((layer) => [layer.name, layer.settings]);
    expect(settings).toEqual([
      ["hidden", expect.objectContaining({ reuseFactor: [1, 2, 4, 8, 16, 32], strategy: null })],
      ["scores", expect.objectContaining({ reuseFactor: [1, 2, 4, 8, 24] })],
    ]);
  });

  it("is converted to C++ for a CPU board", () => {
    const base = planRequest("iris-mlp", "cpu", { card: null });
    const plan = engine.plan({ ...base, model, board: getBoardModel("cpu") });
    expect(plan.files.get("model.keras")).toEqual(bytes);
    expect(plan.emulation).toBeDefined();
  });

  it.each([
    {
      what: "a layer of HGQ2 that is not read",
      edit: (config: string) => config.replaceAll('"QDense"', '"QGRU"'),
      reason: "OPERATOR_UNSUPPORTED",
      says: "QGRU",
    },
    {
      what: "a layer of somebody else's",
      edit: (config: string) => config.replaceAll("hgq.layers.core.dense", "hgqx.layers"),
      reason: "MODEL_NOT_ALLOWED",
      says: "hgqx",
    },
    {
      what: "code",
      edit: (config: string) => config.replaceAll('"QDense"', '"Lambda"'),
      reason: "MODEL_NOT_ALLOWED",
      says: "Python code",
    },
    {
      what: "weights of other sizes",
      edit: (config: string) => config.replace('"units": 8', '"units": 9'),
      reason: "MODEL_WEIGHT_INVALID",
      says: "asks for",
    },
  ])("is refused with $what", ({ edit, reason, says }) => {
    const file = changed(edit);
    expect(() => readModel(file, digestOf(file))).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(says) }),
    );
  });
});
