export { startOtlpTraces } from "./otlp-traces";
