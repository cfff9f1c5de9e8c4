export { inspectAndRead, inspectBytes } from "./inspect-bytes";
export { inspectProcessor } from "./processor";
