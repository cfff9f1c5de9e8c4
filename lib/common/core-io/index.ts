export { fromFloatWord, toFloatWord } from "./float-words";
export { decodeRows, encodeRows } from "./rows";
