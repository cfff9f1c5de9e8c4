export { exportOnnx } from "./export-onnx";
export { runnableOnnx } from "./runnable-onnx";
export { widenBfloat16 } from "./widen-bfloat16";
