export { type BondLimits, defaultBondLimits } from "./bond-board";
export { bondBoard, bondKind } from "./bond-kind";
export { tryBoard, waitingSteps } from "./trial";
