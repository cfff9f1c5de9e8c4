import { z } from "zod";
import type { Engine } from "../engine";
import { accepts, supports } from "./constraints";
import { plan } from "./plan";

/** Keras on a CPU board: its layers become ONNX operators once, when the artifact is built. */
export const tensorflowEngine: Engine = {
  id: "tensorflow",
  title: "TensorFlow and Keras",
  summary: "Serves a Keras model, in floating point, on the processor of a board server.",
  kind: "cpu",
  formats: ["keras", "keras-h5"],
  optionsSchema: z.strictObject({}),
  accepts,
  supports,
  plan,
  timing: () => ({ met: true, achievedMhz: 0 }),
  report: ({ forecast }) => forecast,
};
