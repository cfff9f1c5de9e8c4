export { faithfulRewriting, judgeOptions } from "./onnx-runtime";
export { fromOrt, toOrt } from "./ort-tensor";
