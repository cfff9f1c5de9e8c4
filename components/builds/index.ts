export { buildOverviewQuery, buildsQuery, runningBuildsQuery } from "./api";
export { BuildView } from "./build-view";
export { BuildsTable } from "./builds-table";
export { CompareView } from "./compare/compare-view";
export { idsOf } from "./compare/compared";
export { buildLook } from "./look";
