export { faithfulRewriting } from "./onnx-runtime";
