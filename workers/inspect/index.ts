export { type InspectOptions, inspectAndRead, inspectBytes } from "./inspect-bytes";
export type { Inspected } from "./inspect-model";
export { inspectProcessor } from "./processor";
