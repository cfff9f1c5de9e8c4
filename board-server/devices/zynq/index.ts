export { zynqKind } from "./zynq-kind";
