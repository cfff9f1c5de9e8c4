import { exportOnnx, runnableOnnx } from "@/compiler";
import { defineCpuEngine } from "../cpu-engine";

/** ONNX Runtime on a CPU board: any model, as it is. */
export const onnxEngine = defineCpuEngine({
  id: "onnx",
  title: "ONNX Runtime",
  summary: "Serves an ONNX model as it is, in floating point, on the processor of a board server.",
  formats: ["onnx", "bondmachine-json"],
  saveHint: "Export the model as ONNX.",
  note: "The CPU runs the model as it is, in floating point.",
  artifactOf: ({ format, bytes, graph }) =>
    format === "onnx" ? runnableOnnx(bytes, graph) : exportOnnx(graph),
});
