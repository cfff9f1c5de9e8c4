export { type CallOptions, deleteJson, getAll, getJson, postJson } from "./client";
