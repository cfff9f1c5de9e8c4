import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type BoardModel, getBoardModel, listFamilyCosts } from "@/boards";
import { modelCardSchema, type Outline } from "@/lib/common/contract";
import { attentionNet } from "@/tests/support/compiler/attention-net";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { sampleIds } from "@/tests/support/compiler/samples";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { designCore, type Graph, lower, outlineOf, parseOnnx } from "..";
import { architectures } from "../architectures";
import { estimators } from "../architectures/estimators";
import { unroll } from "../architectures/unrolled/design-unrolled";
import { precisions } from "../passes/precision";
import type { InputRange } from "../passes/standardise";
import { targetOf } from "../target/part";
import { type FittingForecast, type ForecastRequest, forecast } from ".";

const boards = ["icebreaker", "ice40-hx8k-evn", "ulx3s-25f", "tang-primer-20k"].map(getBoardModel);
const large = getBoardModel("ulx3s-85f");

interface Model {
  readonly what: string;
  readonly graph: Graph;
  readonly inputRange: InputRange | null;
  readonly outline: Outline;
}

function sample(what: string): Model {
  const isOurs = sampleIds.some((id) => id === what);
  const folder = `${isOurs ? "public/samples" : "tests/fixtures/models"}/${what}`;
  const graph = parseOnnx(new Uint8Array(readFileSync(`${folder}/model.onnx`)));
  const card = modelCardSchema.parse(JSON.parse(readFileSync(`${folder}/card.json`, "utf8")));
  return made(what, graph, card.inputRange);
}

function made(what: string, graph: Graph, inputRange: InputRange | null = null): Model {
  return { what, graph, inputRange, outline: outlineOf(graph, inputRange) };
}

type Asked = Omit<ForecastRequest, "outline" | "board" | "clockHz">;

/** What the planner makes of a model without rows, as the form shows it; null: it is too large. */
function planned({ graph, inputRange }: Model, board: BoardModel, asked: Asked) {
  const { precision = precisions["exact-ish"], architecture = "auto", lanes = null } = asked;
  const { integerGraph } = lower({ graph, inputRange, calibration: null, precision });
  const target = targetOf(board);
  try {
    const request = { graph: integerGraph, board: target, others: [], architecture, lanes };
    const { resources, ...design } = designCore(request);
    return { ...resources, ...design, cycles: design.latencyCycles };
  } catch (error) {
    expect(error).toMatchObject({ reason: "MODEL_TOO_LARGE" });
    return null;
  }
}

/** The same by the form. */
function shown({ outline }: Model, board: BoardModel, asked: Asked) {
  const result = forecast({ outline, board, ...asked });
  return result.fits ? figuresOf(result) : null;
}

const figuresOf = (result: FittingForecast) => ({
  architecture: result.architecture,
  lanes: result.lanes,
  cycles: result.cycles.expected,
  lut: result.lut.expected,
  flipFlops: result.flipFlops.expected,
  bramBlocks: result.bramBlocks.expected,
  dsp: result.dsp.expected,
});

function expectSame(model: Model, board: BoardModel, asked: Asked = {}): void {
  const [form, plan] = [shown(model, board, asked), planned(model, board, asked)];
  if (form === null || plan === null) expect(form).toBe(plan);
  else expect(plan).toMatchObject(form);
}

describe("the forecast", { timeout: 120_000 }, () => {
  it("has an estimator for each architecture, in their order", () => {
    expect(estimators.map(({ id }) => id)).toEqual(architectures.map(({ id }) => id));
  });

  it.each([
    made("an ensemble of XGBoost", loadTreeSample("iris-xgboost/model.json").graph),
    made("a forest of scikit-learn", loadTreeSample("wine-sklearn-forest/model.onnx").graph),
    made("50 trees of depth 3", randomTrees({ seed: 5, trees: 50, depth: 3 })),
    sample("digits-cnn"),
    made("images", imageNet([4, 8])),
    made("attention", attentionNet({ tokens: 9, width: 8, heads: 2 })),
  ])("is what the planner estimates of $what, on every part", (model) => {
    for (const board of boards) expectSame(model, board);
  });

  it.each(["iris-mlp", "digits-mlp", "jets-small-mlp", "diabetes-mlp", "digits-autoencoder"])(
    "is what the planner estimates of %s as an array, on every part",
    (id) => {
      const model = sample(id);
      for (const board of boards) expectSame(model, board, { architecture: "array" });
      expectSame(model, large, { lanes: 4 });
    },
  );

  it.each(["iris-mlp", "jets-small-mlp", "diabetes-mlp", "wine-sklearn-mlp"])(
    "is the planner's choice for %s; unrolled, within 4 percent of a longer search, and a cycle",
    (id) => {
      const model = sample(id);
      for (const board of boards) {
        const [form, plan] = [shown(model, board, {}), planned(model, board, {})];
        if (!form || !plan) throw new Error("expected it to fit");
        expect(form.architecture).toBe(plan.architecture);
        expect(form.bramBlocks).toBe(plan.bramBlocks);
        expect(Math.abs(form.lut / plan.lut - 1)).toBeLessThan(0.04);
        expect(Math.abs(form.cycles - plan.cycles)).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each(["balanced", "smallest", "fastest"] as const)(
    "is the planner's quick estimate of unrolled nets at %s, for the costs of every family",
    (named) => {
      const model = sample("iris-mlp");
      const precision = precisions[named];
      const { graph, inputRange, outline } = model;
      const { integerGraph } = lower({ graph, inputRange, calibration: null, precision });
      for (const costs of listFamilyCosts()) {
        const board = { ...targetOf(large), costs };
        const quick = unroll(integerGraph, { costs, trials: 1 });
        const estimator = estimators.find(({ id }) => id === "unrolled");
        const wish = { architecture: "unrolled", lanes: null } as const;
        const estimate = estimator
          ?.of(outline.cores["unrolled"], precision)
          .estimate({ target: board, wish });
        expect(estimate).toMatchObject({
          latencyCycles: quick.latencyCycles,
          resources: { lut: quick.estimate.lut + 640, flipFlops: quick.estimate.flipFlops + 480 },
        });
      }
    },
  );

  const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });
  it.each([
    made(
      "a quantised net",
      quantizedGraph({
        sizes: [8, 12, 4],
        input: signed(4),
        stops: [signed(3), null],
        between: ["Relu", null],
      }),
    ),
    made(
      "a quantised net with tanh",
      quantizedGraph({
        sizes: [4, 5, 3],
        input: signed(5),
        stops: [signed(6), null],
        between: ["Tanh", null],
      }),
    ),
  ])("is nearly what the planner estimates of $what, unrolled", (model) => {
    const asked: Asked = { architecture: "unrolled" };
    const [form, plan] = [shown(model, large, asked), planned(model, large, asked)];
    if (!form || !plan) throw new Error("expected it to fit");
    expect(Math.abs(form.lut / plan.lut - 1)).toBeLessThan(0.04);
    expect(Math.abs(form.cycles - plan.cycles)).toBeLessThanOrEqual(1);
    expect(form.bramBlocks).toBe(plan.bramBlocks);
  });

  it.each(
    boards.flatMap((board) =>
      [
        { what: "images", graph: () => imageNet([4, 8]) },
        { what: "attention", graph: () => attentionNet({ tokens: 9, width: 8, heads: 2 }) },
      ].map((net) => ({ board, name: board.id, ...net })),
    ),
  )("is nearly the planner's for $what with few bits on $name", ({ board, what, graph }) => {
    const model = made(what, graph());
    const asked: Asked = { precision: precisions.smallest, lanes: 4 };
    const [form, plan] = [shown(model, board, asked), planned(model, board, asked)];
    if (!form || !plan) throw new Error("expected it to fit");
    const { architecture, lanes, cycles, dsp } = form;
    expect(plan).toMatchObject({ architecture, lanes, cycles, dsp });
    expect(Math.abs(form.lut / plan.lut - 1)).toBeLessThan(0.04);
    // How wide tables are at other bits is known after calibration.
    expect(Math.abs(form.bramBlocks - plan.bramBlocks)).toBeLessThanOrEqual(2);
  });

  it.each(["balanced", "smallest"] as const)(
    "is nearly the planner's for arrays at %s",
    (named) => {
      const asked: Asked = { architecture: "array", precision: precisions[named] };
      for (const id of ["digits-mlp", "jets-small-mlp", "wine-sklearn-mlp"]) {
        const model = sample(id);
        const [form, plan] = [shown(model, large, asked), planned(model, large, asked)];
        if (!form || !plan) throw new Error("expected it to fit");
        expect(form.cycles).toBe(plan.cycles);
        expect(Math.abs(form.lut / plan.lut - 1)).toBeLessThan(0.04);
      }
    },
  );

  it("says what is missing of each resource", () => {
    const outline = outlineOf(randomTrees({ seed: 5, trees: 200, depth: 6 }));
    const result = forecast({ outline, board: getBoardModel("icebreaker") });
    expect(result).toMatchObject({ fits: false, lacking: [{ id: "lut", available: 3960 }] });
  });

  it("says why the array cannot run a quantised model, where it is asked for", () => {
    const graph = quantizedGraph({ sizes: [4, 6, 3], input: signed(5), stops: [signed(3), null] });
    const ask = () => forecast({ outline: outlineOf(graph), board: large, architecture: "array" });
    expect(ask).toThrow(expect.objectContaining({ reason: "OPTION_INVALID" }));
  });

  it("takes no range of other inputs for the model's", () => {
    const graph = denseGraph([4, 5, 3]);
    const wrong = { min: [0], max: [1] };
    expect(outlineOf(graph, wrong)).toEqual(outlineOf(graph));
  });

  it("builds no network of a net that is too large to be unrolled, and keeps little of it", () => {
    const outline = outlineOf(denseGraph([784, 32, 10]));
    expect(outline.cores["unrolled"]).toMatchObject({ built: [] });
    expect(JSON.stringify(outline).length).toBeLessThan(1000);
    expect(JSON.stringify(outlineOf(denseGraph([4, 16, 8, 3]))).length).toBeLessThan(4000);
  });
});
