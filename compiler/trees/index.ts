export { scoresOf, type Transform } from "./ensemble";
export { readEnsemble } from "./read-ensemble";
