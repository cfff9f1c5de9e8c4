export { ConnectionChoice } from "./connection-choice";
export { ConnectionSettings } from "./connection-settings";
