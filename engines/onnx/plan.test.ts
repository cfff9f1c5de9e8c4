import { describe, expect, it } from "vitest";
import type { Graph } from "@/compiler";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { onnxEngine as engine } from ".";

const request = planRequest("iris-mlp", "cpu");

function withGraph(change: Partial<Graph>) {
  const { graph } = request.model;
  if (!graph) throw new Error("the sample has a graph");
  return { ...request, model: { ...request.model, graph: { ...graph, ...change } } };
}

describe("planning for the CPU", () => {
  it("makes the model itself the artifact and runs no tool", () => {
    const plan = engine.plan(request);
    expect(plan).toMatchObject({
      kind: "model",
      platform: "onnx_onnxv1",
      steps: [],
      variants: [],
      maxBatchSize: 64,
      products: [{ role: "model", path: "model.onnx" }],
    });
    expect(plan.files.get("model.onnx")).toEqual(request.model.bytes);
    expect(plan.io).toMatchObject({
      inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4], size: 4 }],
      outputs: [{ shape: [-1, 3], activation: "none", labels: request.card?.classes }],
    });
  });

  it("takes operators that no FPGA front end reads", () => {
    const loop = withGraph({
      nodes: [
        { name: "loop", operator: "Loop", domain: "", inputs: [], outputs: [], attributes: {} },
      ],
    });
    expect(engine.accepts(loop.model)).toEqual({ ok: true });
    expect(engine.plan(loop).kind).toBe("model");
  });

  it("batches nothing when a tensor has no free batch", () => {
    const fixed = withGraph({ outputs: [{ name: "y", datatype: "FP32", shape: [1, 3] }] });
    expect(engine.plan(fixed)).toMatchObject({
      maxBatchSize: 0,
      io: { outputs: [{ shape: [1, 3], size: 3 }] },
    });
  });

  it("refuses an FPGA board and points to the compiler", () => {
    expect(() => engine.plan(planRequest("iris-mlp", "icebreaker"))).toThrow(
      expect.objectContaining({
        reason: "COMBINATION_UNSUPPORTED",
        hint: expect.stringContaining("boardwalk"),
      }),
    );
  });
});
