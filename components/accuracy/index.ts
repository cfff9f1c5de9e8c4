export { AccuracySection } from "./accuracy-section";
