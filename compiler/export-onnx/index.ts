export { exportOnnx } from "./export-onnx";
