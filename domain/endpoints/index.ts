export { deleteEndpoint } from "./commands";
export { prepareDeploy, prepareRevision } from "./deploy";
export { getEndpoint, listEndpoints, listRevisions } from "./queries";
export { reconcileEndpoints } from "./reconcile";
