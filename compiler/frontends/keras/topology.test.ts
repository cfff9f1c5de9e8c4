import { describe, expect, it } from "vitest";
import { readTopology } from "./topology";

const layer = (inbound: unknown) => ({
  class_name: "MultiHeadAttention",
  name: "attend",
  config: { name: "attend" },
  inbound_nodes: inbound,
});
const tensor = { class_name: "__keras_tensor__", config: { keras_history: ["x", 0, 0] } };
const modelOf = (inbound: unknown) => ({
  layers: [layer(inbound)],
  input_layers: [["x", 0, 0]],
  output_layers: [["attend", 0, 0]],
});

describe("what a layer is called with by name", () => {
  it.each([
    { why: "Keras 3", inbound: [{ args: [tensor], kwargs: { use_causal_mask: true } }] },
    { why: "Keras 2", inbound: [[["x", 0, 0, { use_causal_mask: true }]]] },
  ])("is refused where it changes what is computed, $why", ({ inbound }) => {
    expect(() => readTopology("Functional", modelOf(inbound))).toThrow(/use_causal_mask/);
  });

  it("is passed over where it is for training, or off", () => {
    const kwargs = { training: true, use_causal_mask: false };
    const { layers } = readTopology("Functional", modelOf([{ args: [tensor, tensor], kwargs }]));
    expect(layers[0]?.uses).toEqual([
      [
        { layer: "x", use: 0, output: 0 },
        { layer: "x", use: 0, output: 0 },
      ],
    ]);
  });
});
