export { parseOnnx } from "./parse-onnx";
