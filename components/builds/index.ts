export { buildsQuery, runningBuildsQuery } from "./api";
export { BuildView } from "./build-view";
export { BuildsTable } from "./builds-table";
export { buildLook } from "./look";
