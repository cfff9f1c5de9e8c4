export { AccuracySection } from "./accuracy-section";
export { OutputsTable } from "./outputs-table";
export { RangeAssumed } from "./range-assumed";
