import { exportOnnx } from "@/compiler";
import { defineCpuEngine } from "../cpu-engine";
import { converter, planConversion } from "./convert";

/** Keras and SavedModels on a CPU board: they become ONNX operators once, when the artifact is built. */
export const tensorflowEngine = defineCpuEngine({
  id: "tensorflow",
  title: "TensorFlow and Keras",
  summary:
    "Serves a Keras model or a SavedModel, in floating point, on the processor of a board server.",
  formats: ["keras", "keras-h5"],
  saveHint: "Save the model with model.save(), as .keras or .h5, or pack a SavedModel as .tar.gz.",
  note: "The model is written as ONNX operators, which the CPU runs in floating point.",
  artifactOf: ({ graph }) => exportOnnx(graph),
  converted: { formats: ["savedmodel"], tools: [converter], plan: planConversion },
});
