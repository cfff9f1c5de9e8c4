export { type LoweredMaps, lowerMaps } from "./lower-maps";
export { outlineMaps } from "./outline";
export { hasMaps, readMapModel } from "./read-model";
