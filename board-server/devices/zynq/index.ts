export { findFpgas } from "./find-fpgas";
export { zynqKind } from "./zynq-kind";
