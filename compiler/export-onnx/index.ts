export { exportOnnx } from "./export-onnx";
export { widenBfloat16 } from "./widen-bfloat16";
