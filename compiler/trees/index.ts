export { scoresOf, type Transform, type TreeModel, type TreeOutput } from "./ensemble";
export { type LoweredTrees, lowerTrees } from "./lower-trees";
export { readEnsemble } from "./read-ensemble";
export { hasTrees } from "./read-model";
