export {
  buildSchedule,
  type Group,
  type LayerShape,
  pipeline,
  type Schedule,
} from "./build-schedule";
export { type Choice, chooseLanes } from "./choose-lanes";
export { estimateResources, type PartResources, type ResourceEstimate } from "./estimate-resources";
export { accumulatorWidthOf, type Stage, stagesOf } from "./stages";
