export { recordBoardEvents, recordEvent } from "./commands";
export { listEvents, newestEventSeq } from "./queries";
