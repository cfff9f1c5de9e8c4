import { denseOnnx } from "./onnx";

/**
 * Two values in, two out, one layer: for tests of all that is around a model. Synthesis and placing take half the time that
 * `iris-mlp` takes.
 */
export const pair = {
  model: denseOnnx([2, 2]),
  card: { title: "pair", inputRange: { min: [-1, -1], max: [1, 1] } },
  row: { name: "v0", row: [0.5, -0.25] },
};
