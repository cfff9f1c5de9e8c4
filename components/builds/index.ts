export {
  buildOverviewQuery,
  buildQuery,
  buildsQuery,
  cancelBuild,
  runningBuildsQuery,
} from "./api";
export { useBuildAppearance } from "./appearance";
export { BuildState } from "./build-state";
export { BuildView } from "./build-view";
export { BuildsList } from "./builds-list";
export { CompareView } from "./compare/compare-view";
export { idsOf } from "./compare/compared";
export { ParetoPlot } from "./compare/pareto-plot";
export { EndNotifier } from "./end-notifier";
export { ImportArtifact } from "./import-artifact";
export { ProofLevels } from "./proof-levels";
export { QueuePanel } from "./queue/queue-panel";
export { TrendPanel } from "./queue/trend-panel";
export { WorkerNotice } from "./queue/worker-notice";
export { DesignOnChip } from "./report/design-on-chip";
export { shortNames } from "./report/short-names";
