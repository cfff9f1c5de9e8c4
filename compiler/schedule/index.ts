export {
  buildSchedule,
  type Group,
  type LayerShape,
  pipeline,
  type Schedule,
} from "./build-schedule";
export { accumulatorWidthOf, type Stage, stagesOf } from "./stages";
