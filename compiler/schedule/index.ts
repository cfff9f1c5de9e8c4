export {
  buildSchedule,
  type LayerShape,
  pipeline,
  type Schedule,
} from "./build-schedule";
export { type Choice, chooseLanes } from "./choose-lanes";
export {
  mostCells,
  type PartResources,
  type ResourceEstimate,
  shellCells,
  shellResources,
  usableCells,
} from "./estimate-resources";
export { type Lacking, lackingOf } from "./lacking";
export { accumulatorWidthOf, hiddenWidthOf, type Stage, stagesOf } from "./stages";
