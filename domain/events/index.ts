export { recordEvent, recordEvents } from "./commands";
export { listEvents, newestEventSeq } from "./queries";
