import type { Graph } from "../graph/graph";
import { isQonnxQuant } from "../model/quantizer";
import { standardForm } from "../passes/quantized/standard-form";
import { exportOnnx } from "./export-onnx";
import { widenBfloat16 } from "./widen-bfloat16";

/**
 * An ONNX file as ONNX Runtime can run it: QONNX's operators as standard ones, bfloat16 as float32, and else as it is.
 *
 * @throws {AppError} `QUANTIZER_INVALID` for a `Quant` that says nothing definite.
 */
export function runnableOnnx(bytes: Uint8Array, graph: Graph | null): Uint8Array {
  if (graph?.nodes.some(isQonnxQuant)) return exportOnnx(standardForm(graph));
  return graph ? widenBfloat16(bytes, graph) : bytes;
}
