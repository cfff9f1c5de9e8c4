export { deleteEndpoint, pauseEndpoint, resumeEndpoint } from "./commands";
export { prepareDeploy, prepareRevision } from "./deploy";
export { countEndpoints, exportEndpoints, listEndpoints } from "./lists";
export { findCpuTwin, getModelSource } from "./model-source";
export { getEndpointOverview, listTakenNames } from "./overview";
export { getEndpoint, listRevisions } from "./queries";
export { reconcileEndpoints } from "./reconcile";
export { rollBack } from "./roll-back";
export { command as commandSlot } from "./slots";
