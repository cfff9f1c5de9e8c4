import { describe, expect, it } from "vitest";
import { GraphBuilder } from "../support/random-models/graph-builder";
import { judgeCpu } from "../support/random-models/judge-cpu";
import { fileOf } from "../support/random-models/onnx";

/** A net of 3-4-4-2, ReLU between, whose layers have one weight each everywhere. */
function net(weights: readonly number[]) {
  const builder = new GraphBuilder();
  const sizes = [3, 4, 4, 2];
  let value = "x";
  for (const [layer, weight] of weights.entries()) {
    const [inputs = 1, outputs = 1] = sizes.slice(layer, layer + 2);
    const matrix = Array<number>(inputs * outputs).fill(weight);
    value = builder.node("MatMul", [value, builder.constant([inputs, outputs], matrix)]);
    if (layer < weights.length - 1) value = builder.node("Relu", [value]);
  }
  const graph = builder.graph(
    [{ name: "x", datatype: "FP32", shape: [-1, 3] }],
    [{ name: value, datatype: "FP32", shape: [-1, 2] }],
  );
  return fileOf({ about: weights.join(" "), graph }, { seed: 1, family: "odd" });
}

describe("a network is inspected and served on a CPU board", () => {
  it.each([
    { weights: [0, 0, 0], why: "with nothing but zeros" },
    { weights: [0.5, 0, 0.5], why: "with a layer of zeros between others" },
    { weights: [0.5, 0.5, 0], why: "with zeros in its last layer" },
    { weights: [1e-42, 1e-42, 1e-42], why: "with denormal weights" },
    { weights: [3e38, 3e38, 3e38], why: "with weights next to the largest there are" },
  ])("$why", async ({ weights }) => {
    const { graph } = await judgeCpu(net(weights));
    expect(graph?.nodes).toHaveLength(5);
  });
});
