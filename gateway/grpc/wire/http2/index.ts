export { type ConnectionCut, Http2Connection } from "./connection";
export { errorCodes } from "./errors";
export { type Field, writeHeaders } from "./hpack";
export type { Headers, Http2Stream } from "./stream";
