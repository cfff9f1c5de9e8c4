export { buildSchedule, type LayerShape, type Schedule } from "./build-schedule";
export { type Choice, chooseLanes, type NoChoice } from "./choose-lanes";
export { mostCells, type ResourceEstimate } from "./estimate-resources";
export { type Lacking, lackInWords, lackingFor, lackingOf } from "./lacking";
export { loneRegisterCells } from "./lone-registers";
export { type LaneMultipliers, laneMultipliers, multipliersOf } from "./multipliers";
export {
  type ArrayPart,
  arrayPart,
  type PartResources,
  type PartTarget,
  type Target,
} from "./part";
export { shellCells, shellResources } from "./shell";
export {
  accumulatorWidthOf,
  halfOf,
  hiddenWidthOf,
  layersOf,
  stagesOf,
  tablesOf,
  writtenFormatOf,
} from "./stages";
export { usableCells } from "./usable-cells";
