export { chooseLayout, refuseLanes, refuseUnrolled } from "./choose-layout";
export { designMaps } from "./design-maps";
export { type LoweredMaps, lowerMaps } from "./lower-maps";
export { hasMaps, readMapModel } from "./read-model";
