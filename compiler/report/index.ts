export {
  arraySections,
  type SectionRule,
  treeSections,
  unrolledSections,
  walkSections,
} from "./sections";
export { type LayerSpans, layersByTaps, timelineOf } from "./timeline";
