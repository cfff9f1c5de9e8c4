export { hasKey, isRecord, keysOf, recordOf } from "./records";
