export { askOnLease } from "./ask-on-lease";
export { storeCalls, storeLines } from "./commands";
export { readConsole, speakOnLease } from "./console";
export { listCalls } from "./queries";
