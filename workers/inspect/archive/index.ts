export { extractFiles } from "./extract";
export { judgeArchive, type Packing } from "./judge";
