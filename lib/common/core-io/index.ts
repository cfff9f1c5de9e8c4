export { argmax } from "./activations";
export { corePortOf } from "./core-port";
export { bytesOfInput, decodeRows, encodeRows } from "./rows";
