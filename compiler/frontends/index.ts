export { parseOnnx } from "./onnx";
export { refusalOf } from "./refusals";
export { type Format, sniff } from "./sniff";
