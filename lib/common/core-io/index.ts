export { decodeRows, encodeRows } from "./rows";
