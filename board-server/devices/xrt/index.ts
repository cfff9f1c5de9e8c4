export { xrtKind } from "./xrt-kind";
