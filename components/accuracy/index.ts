export { AccuracySection } from "./accuracy-section";
export { RangeAssumed } from "./range-assumed";
