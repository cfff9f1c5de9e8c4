export { deleteEndpoint, pauseEndpoint, resumeEndpoint } from "./commands";
export { prepareDeploy, prepareRevision } from "./deploy";
export { getEndpoint, listEndpoints, listRevisions } from "./queries";
export { reconcileEndpoints } from "./reconcile";
export { rollBack } from "./roll-back";
