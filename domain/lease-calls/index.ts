export { askOnLease } from "./ask-on-lease";
export { listCalls, storeCalls, storeLines } from "./board-side";
export { readConsole, speakOnLease } from "./console";
