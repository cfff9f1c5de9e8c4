import { exportOnnx } from "@/compiler";
import { defineCpuEngine } from "../cpu-engine";

/** XGBoost on a CPU board: its trees become an ONNX tree ensemble once, when the artifact is built. */
export const xgboostEngine = defineCpuEngine({
  id: "xgboost",
  title: "XGBoost",
  summary:
    "Serves boosted trees and linear boosters, in floating point, on the processor of a board server.",
  formats: ["xgboost-json", "xgboost-ubj"],
  saveHint: "Save the model with Booster.save_model(), as .json or .ubj.",
  note: "The trees are written as an ONNX tree ensemble, which the CPU runs in floating point.",
  artifactOf: ({ graph }) => exportOnnx(graph),
});
