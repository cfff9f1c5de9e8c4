export { decodeRows, type EncodedRows, encodeRows } from "./rows";
