export { judgeArchive } from "./judge";
