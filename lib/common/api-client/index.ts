export { type CallOptions, deleteJson, getJson, postJson } from "./client";
