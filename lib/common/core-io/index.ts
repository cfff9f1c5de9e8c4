export { argmax } from "./activations";
export { corePortOf } from "./core-port";
export { fromFloatWord, toFloatWord } from "./float-words";
export { bytesOfInput, decodeRows, encodeRows } from "./rows";
export { readWords } from "./words";
