export { removeAlias, setAlias } from "./aliases";
export {
  archiveModel,
  type MetModel,
  modelUuid,
  noteLook,
  noteModel,
  storeModel,
} from "./commands";
export { deleteModel } from "./delete-model";
export {
  type ClaimedInspection,
  claimInspection,
  dropInspection,
  expireInspections,
  findInspected,
  finishInspection,
  getInspection,
  type InspectionState,
  inspectionJobId,
  parseInspectionRequest,
  renewInspection,
  requestInspection,
  waitForInspection,
} from "./inspections";
export { countModels, exportModels, listModels } from "./lists";
export { checkModelUrl } from "./model-url";
export { buildsOf, getModelDetail } from "./queries";
export { getSearch, showProgress, stopSearch } from "./searches";
