import { describe, expect, it } from "vitest";
import { runIntegerGraph } from "@/compiler";
import { isRangeAssumed, rangeOfEach } from "@/lib/common/contract";
import { encodeRows } from "@/lib/common/core-io";
import {
  brightClass,
  brightDigits,
  brightRows,
  indexOfLargest,
} from "@/tests/support/compiler/bright-digits";
import { integerGraphOf } from "@/tests/support/compiler/integer-graph-of";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { loadSample } from "@/tests/support/compiler/samples";
import type { Plan, PlanRequest } from "../engine";
import { boardwalkEngine as engine } from ".";

const graph = brightDigits();

function planOf(change: Partial<PlanRequest>): Plan {
  const request = planRequest("digits-mlp", "icebreaker", { card: null, ...change });
  return engine.plan({ ...request, model: { ...request.model, graph } });
}

/** The classes that a design gives rows, and how many of their values its inputs do not hold. */
function answersOf(plan: Plan, rows: readonly number[][]) {
  const { io, core } = plan;
  const reference = integerGraphOf(plan);
  if (!core) throw new TypeError("a plan without its core");
  const data = Float32Array.from(rows.flat());
  const pixels = { name: "pixels", datatype: "FP32" as const, shape: [rows.length, 64], data };
  const { bytes, count, clipped } = encodeRows(io, core, [pixels]);
  const classes = Array.from({ length: count }, (_, row) => {
    const sent = new Int8Array(bytes.slice(row * core.inputBytes, (row + 1) * core.inputBytes));
    const { output } = runIntegerGraph(reference, sent);
    return indexOfLargest(Array.from(output));
  });
  return { classes, clipped };
}

describe("a model of 64 pixels from 0 to 16, of which nothing says so", () => {
  const rows = brightRows(32);
  const float = rows.map(brightClass);
  const wrong = (classes: readonly number[]) => classes.filter((each, at) => each !== float[at]);

  it("is scaled by an assumption that the report owns up to, and gets classes wrong", () => {
    const plan = planOf({});
    expect(plan.forecast.calibration).toMatchObject({ synthetic: true });
    expect(plan.forecast.calibration && isRangeAssumed(plan.forecast.calibration)).toBe(true);
    const { classes, clipped } = answersOf(plan, rows);
    expect(wrong(classes).length).toBeGreaterThan(0);
    // The last step of eight bits is 127/32.
    const beyond = rows.map((row) => row.filter((value) => value >= 4).length);
    expect(clipped).toEqual(beyond);
  });

  it("gets every class right with the range that is given, and holds every value", () => {
    const plan = planOf({ card: { inputRange: rangeOfEach({ min: 0, max: 16 }, 64) } });
    expect(plan.forecast.calibration && isRangeAssumed(plan.forecast.calibration)).toBe(false);
    const { classes, clipped } = answersOf(plan, rows);
    expect(wrong(classes)).toEqual([]);
    expect(clipped).toBeNull();
  });

  it("is another plan with another range, and the same with the same", () => {
    const digestFor = (max: number) =>
      planOf({ card: { inputRange: rangeOfEach({ min: 0, max }, 64) } }).digest;
    expect(new Set([planOf({}).digest, digestFor(16), digestFor(15)]).size).toBe(3);
    expect(digestFor(16)).toBe(digestFor(16));
  });
});

describe("what says which values the inputs take", () => {
  const sample = loadSample("iris-mlp");
  const request = planRequest("iris-mlp", "icebreaker");
  const from = (model: typeof graph, card: PlanRequest["card"]) =>
    engine.rangeFrom?.({ ...request.model, graph: model }, card);

  it.each([
    { what: "a card", model: sample.graph, card: sample.card, wanted: "card" },
    { what: "nothing", model: sample.graph, card: null, wanted: null },
    { what: "nothing, of images", model: imageNet([4, 8]), card: null, wanted: null },
    {
      what: "half a range",
      model: sample.graph,
      card: { inputRange: { min: [0, 0, 0, 0] } },
      wanted: null,
    },
  ])("is $what", ({ model, card, wanted }) => {
    expect(from(model, card)).toBe(wanted);
  });

  it("is told of images too, in the report of the build", () => {
    const plan = engine.plan({
      ...request,
      card: null,
      model: { ...request.model, graph: imageNet([4, 8]) },
    });
    expect(plan.forecast.calibration && isRangeAssumed(plan.forecast.calibration)).toBe(true);
  });
});
