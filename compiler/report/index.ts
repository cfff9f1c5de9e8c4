export { arraySections, type SectionRule, treeSections, unrolledSections } from "./sections";
export { timelineOf } from "./timeline";
