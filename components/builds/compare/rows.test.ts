import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { Build, Report } from "@/lib/common/contract";
import { messages } from "@/messages/en";
import { rowsOf } from "./rows";

const t = createTranslator({ locale: "en", messages, namespace: "builds.compare" });
const resources = new Map(Object.entries(messages.ui.resources.names));
const names = {
  boardTitle: ({ boardModel }: Build) => boardModel,
  resourceName: ({ id }: { readonly id: string }) => resources.get(id) ?? id,
};

const proof = {
  vectors: 100,
  mismatches: 0,
  rows: 10,
  maxAbsError: 0.02,
  agreement: 0.99,
  source: "held-back rows",
};
const report = (change: Partial<Report>): Report => ({
  resources: [{ id: "lut", name: "Logic cells", used: 1361, available: 5280 }],
  latencyCycles: 462,
  clockHz: 36e6,
  proof,
  ...change,
});
const build = (change: Partial<Build>): Build => ({
  id: "bld_1",
  state: "succeeded",
  stages: [],
  reused: false,
  cancelling: false,
  attempt: 1,
  engine: "boardwalk",
  boardModel: "icebreaker",
  boardKind: "simulated",
  modelUrl: "s3://samples/digits-mlp/model.onnx",
  endpointName: null,
  priority: "normal",
  labels: [],
  planDigest: null,
  artifactDigest: null,
  problem: null,
  lines: 0,
  createdAt: "2026-11-21T12:00:00.000Z",
  startedAt: "2026-11-21T12:00:00.000Z",
  endedAt: "2026-11-21T12:01:00.000Z",
  report: report({}),
  ...change,
});
const fast = build({ options: { lanes: 16 }, report: report({ latencyCycles: 240 }) });
const unplaced = build({ state: "failed", report: undefined, endedAt: null });

const rowOf = (label: string, builds: readonly Build[]) => {
  const row = rowsOf(builds, names, t).find((each) => each.label === label);
  return (
    row && { ...row, cells: row.cells.map(({ text, isBest }) => (isBest ? `${text} *` : text)) }
  );
};

describe("a comparison of builds", () => {
  it("marks nothing as best between builds of different models", () => {
    const other = { ...fast, modelUrl: "s3://samples/iris-mlp/model.onnx" };
    expect(rowOf("Latency on the chip", [build({}), other])?.cells).toEqual([
      "12.8\u2009µs",
      "6.67\u2009µs",
    ]);
    expect(rowOf("Model", [build({}), other])).toEqual({
      label: "Model",
      cells: ["digits-mlp", "iris-mlp"],
      differs: true,
    });
  });

  it("marks the shorter latency, and says what it is at the clock", () => {
    expect(rowOf("Latency on the chip", [build({}), fast])).toEqual({
      label: "Latency on the chip",
      cells: ["12.8\u2009µs", "6.67\u2009µs *"],
      differs: true,
    });
  });

  it("marks nothing where all are alike", () => {
    expect(rowOf("Logic cells", [build({}), fast])).toMatchObject({
      cells: ["1,361 of 5,280", "1,361 of 5,280"],
      differs: false,
    });
  });

  it("shows an option that only one was given", () => {
    expect(rowOf("Option lanes", [build({}), fast])?.cells).toEqual([
      "as the compiler chooses",
      "16",
    ]);
  });

  it("knows nothing of a build without a report, and does not call it best", () => {
    expect(rowOf("Cycles of a row", [fast, unplaced])?.cells).toEqual(["240", "–"]);
    expect(rowOf("Proof", [fast, unplaced])?.cells).toEqual(["equal: 100", "–"]);
  });

  it("leaves out what none of them has, and the time of a build that built nothing", () => {
    expect(rowOf("Multipliers", [build({}), fast])).toBeUndefined();
    expect(rowOf("Build took", [build({}), build({ reused: true })])?.cells).toEqual([
      "1\u2009min 00\u2009s",
      "–",
    ]);
  });

  it("shows every output of models that have several, each by its name", () => {
    const output = (name: string, maxAbsError: number) => ({
      output: name,
      labelled: false,
      agreement: null,
      floatAccuracy: null,
      integerAccuracy: null,
      maxAbsError,
      meanAbsError: 0,
    });
    const accuracy = (outputs: readonly ReturnType<typeof output>[]) => ({
      calibration: null,
      test: { rows: 10, source: "held-back rows", synthetic: false, shared: 0 },
      labelled: false,
      agreement: null,
      floatAccuracy: null,
      integerAccuracy: null,
      maxAbsError: 0,
      clipping: [],
      confusion: null,
      worst: [],
      outputs: [...outputs],
    });
    const two = (energy: number) =>
      build({
        report: report({ accuracy: accuracy([output("class", 0), output("energy", energy)]) }),
      });
    expect(rowOf("Largest difference, energy", [two(0.5), two(0.25)])?.cells).toEqual([
      "0.50",
      "0.25 *",
    ]);
    expect(rowOf("Largest difference", [two(0.5), two(0.25)])).toBeUndefined();
    expect(rowOf("Agreement with float, energy", [two(0.5)])).toBeUndefined();
  });
});
