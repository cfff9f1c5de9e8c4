import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { arrayDesign } from "@/tests/support/compiler/array-design";
import { loadSample } from "@/tests/support/compiler/samples";
import { designCore } from "../design";
import { lowerDense } from "../lower/dense";
import { targetOf } from "../target/part";

function timelineFor(architecture: "array" | "unrolled") {
  const { graph, card } = loadSample("iris-mlp");
  const { integerGraph } = lowerDense({
    graph,
    inputRange: card?.inputRange ?? null,
    calibration: null,
  });
  const board = targetOf(getBoardModel("ulx3s-25f"));
  const design = designCore({ graph: integerGraph, board, others: [], architecture, lanes: null });
  return { design, ...design.timeline };
}

describe.each(["array", "unrolled"] as const)("the timeline of an %s core", (architecture) => {
  const { rows, design } = timelineFor(architecture);
  const spans = rows.flatMap((row) => row.spans);

  it("has the row's bytes before cycle 1, the layers in order, and the answer at the core's latency", () => {
    expect(rows.map(({ kind }) => kind)).toEqual(["input", "layer", "layer", "layer", "output"]);
    expect(rows[0]).toMatchObject({ bytes: 4, spans: [{ from: -3, to: 0 }] });
    expect(rows.at(-1)?.bytes).toBe(6);
    expect(rows.at(-1)?.spans).toEqual([
      { from: design.latencyCycles, to: design.latencyCycles + 5 },
    ]);
  });

  it("never has two layers at work in one cycle", () => {
    for (const [index, span] of spans.entries()) {
      expect(span.to).toBeGreaterThanOrEqual(span.from);
      expect(span.from).toBeGreaterThan(spans[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
    }
  });
});

it("shows every pass of the array over a layer's inputs", () => {
  const { rows, design } = timelineFor("array");
  const { schedule } = arrayDesign(design.graph, targetOf(getBoardModel("ulx3s-25f")));
  const cycles = rows
    .filter(({ kind }) => kind === "layer")
    .flatMap(({ spans }) => spans.map(({ from, to }) => to - from + 1));
  expect(cycles).toEqual(schedule.groups.map(({ inputs }) => inputs));
});
