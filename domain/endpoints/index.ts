export { deleteEndpoint } from "./commands";
export { addRevision, type DeployOptions, deploy, prepareDeploy, prepareRevision } from "./deploy";
export { getEndpoint, listEndpoints, listRevisions } from "./queries";
export { reconcileEndpoints } from "./reconcile";
