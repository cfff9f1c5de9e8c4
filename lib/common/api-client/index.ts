export { deleteJson, getAll, getJson, postJson } from "./client";
