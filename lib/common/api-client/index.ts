export { deleteJson, getAll, getJson, patchJson, postJson, postText } from "./client";
