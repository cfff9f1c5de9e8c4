export { BodyCollector, unpackedLimit } from "./body-collector";
export { type BudgetLimits, ByteBudget, type Reservation } from "./byte-budget";
export { copyInSteps } from "./copy-in-steps";
export { heldByTensors } from "./held-by-tensors";
export { InFlight } from "./in-flight";
export { Life } from "./life";
export { PacedWork, tellSmallRequest } from "./paced-work";
