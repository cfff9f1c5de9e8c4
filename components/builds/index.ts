export {
  buildOverviewQuery,
  buildQuery,
  buildsQuery,
  cancelBuild,
  runningBuildsQuery,
} from "./api";
export { buildAppearance } from "./appearance";
export { BuildView } from "./build-view";
export { BuildsList } from "./builds-list";
export { CompareView } from "./compare/compare-view";
export { idsOf } from "./compare/compared";
export { ParetoPlot } from "./compare/pareto-plot";
export { ImportArtifact } from "./import-artifact";
export { ProofLevels } from "./proof-levels";
