export { deleteJson, getAll, getJson, postJson, postText } from "./client";
