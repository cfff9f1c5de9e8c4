import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { getEngine, readModel, runGraph } from "@/engines";
import type { Digest } from "@/lib/common/contract";
import { type Rows, readRows } from "@/lib/common/rows";
import { digestOf } from "@/lib/server/digest";
import { answerRows } from "../../agreement";
import { countSharedRows, splitRows } from "../../rows";
import { countClipping } from "./clipping";
import { compareOutputs } from "./compare-outputs";
import { measureAccuracy } from "./measure-accuracy";

/** The report of a real sample, its float answers from our own interpreter. */
function reportOf(id: string, width: number, options: Record<string, unknown> = {}) {
  const bytes = new Uint8Array(readFileSync(`public/samples/${id}/model.onnx`));
  const csv = readFileSync(`public/samples/${id}/test.csv`);
  const { calibration, heldBack } = splitRows(readRows(csv, width, "test.csv").rows, null);
  if (!heldBack) throw new Error("a sample has rows");
  const model = readModel(bytes, digestOf(bytes));
  const engine = getEngine("boardwalk");
  const plan = engine.plan({
    model,
    card: null,
    calibration,
    board: getBoardModel("icebreaker"),
    boardKind: "simulated",
    options: engine.optionsSchema.parse(options),
    toolVersions: {},
    sourceDigest: digestOf("sources") as Digest,
    sha256: digestOf,
  });
  const { graph } = model;
  const { reference, io } = plan;
  if (!graph || !reference) throw new Error("a sample has a graph");
  const feed = { shape: [heldBack.count, width], values: heldBack.values };
  const answers = runGraph(graph, new Map([[graph.inputs[0]?.name ?? "", feed]]));
  const floats = io.outputs.map(({ name }) => answers.get(name)?.values ?? []);
  const clipped = countClipping(reference, io, heldBack);
  const integers = answerRows(reference, io, heldBack, clipped.add);
  const subject = { rows: heldBack, classNames: null };
  return measureAccuracy({
    ...subject,
    outputs: compareOutputs({ ...subject, outputs: io.outputs, floats, integers }),
    synthetic: false,
    calibration: plan.forecast.calibration ?? null,
    calibrationRows: calibration,
    clipping: clipped.shares(),
  });
}

const total = (matrix: readonly (readonly number[])[] | null | undefined) =>
  (matrix ?? []).flat().reduce((sum, count) => sum + count, 0);
const diagonal = (matrix: readonly (readonly number[])[] | null | undefined) =>
  (matrix ?? []).reduce((sum, line, at) => sum + (line[at] ?? 0), 0);

describe("accuracy report", () => {
  it("of digits-mlp says what was calibrated and tested, and agrees with its own confusion matrix", () => {
    const report = reportOf("digits-mlp", 64);
    expect(report.calibration).toMatchObject({ rows: 225, source: "test.csv", synthetic: false });
    expect(report.test).toMatchObject({ rows: 225, synthetic: false, shared: 0 });
    expect(report.labelled).toBe(true);
    expect(report.floatAccuracy).toBeCloseTo(0.978, 3);
    const { confusion } = report;
    expect(confusion?.classes).toHaveLength(10);
    expect(total(confusion?.floatToInteger)).toBe(225);
    expect(diagonal(confusion?.floatToInteger) / 225).toBe(report.agreement);
    expect(diagonal(confusion?.labelToInteger) / 225).toBe(report.integerAccuracy);
    expect(diagonal(confusion?.labelToFloat) / 225).toBe(report.floatAccuracy);
  });

  it("names a clipping rate for the inputs, each hidden layer and the scores", () => {
    const { clipping } = reportOf("digits-mlp", 64);
    expect(clipping.map(({ role }) => role)).toEqual(["inputs", "hidden", "hidden", "scores"]);
    expect(clipping.map(({ values }) => values)).toEqual([64, 32, 32, 10].map((n) => n * 225));
    for (const { share } of clipping) expect(share).toBeLessThan(0.02);
  });

  it("shows the rows that differ most by their numbers in the file, changed classes first", () => {
    const { worst, agreement } = reportOf("jets-small-mlp", 16, { precision: "smallest" });
    expect(agreement).toBeLessThan(1);
    expect(worst).toHaveLength(5);
    const lines = readFileSync("public/samples/jets-small-mlp/test.csv", "utf8").trim().split("\n");
    for (const { row, features, label, floatClass, integerClass } of worst) {
      expect(floatClass).not.toBe(integerClass);
      const cells = lines[row]?.split(",").map(Number) ?? [];
      expect(features).toEqual([...Float32Array.from(cells.slice(0, 16))]);
      expect(label).toBe(cells[16]);
    }
    const errors = worst.map(({ absError }) => absError);
    expect(errors).toEqual(errors.toSorted((a, b) => b - a));
  });

  it("loses agreement with too few bits", () => {
    const few = reportOf("jets-small-mlp", 16, { weightBits: 2, activationBits: 2 });
    const many = reportOf("jets-small-mlp", 16);
    expect(few.agreement).toBeLessThan((many.agreement ?? 0) - 0.05);
  });
});

describe("rows that are in both sets", () => {
  const rows = (...values: number[]): Rows => ({
    count: values.length / 2,
    width: 2,
    values: Float32Array.from(values),
    labels: null,
    source: "rows.csv",
  });

  it("are counted, value for value", () => {
    expect(countSharedRows(rows(1, 2, 3, 4, 1, 2), rows(5, 6, 1, 2))).toBe(2);
    expect(countSharedRows(rows(1, 2), rows(2, 1))).toBe(0);
  });
});
