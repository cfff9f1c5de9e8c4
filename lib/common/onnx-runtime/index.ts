export { faithfulRewriting } from "./onnx-runtime";
export { fromOrt, toOrt } from "./ort-tensor";
