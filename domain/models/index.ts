export {
  type ClaimedInspection,
  claimInspection,
  expireInspections,
  finishInspection,
  getInspection,
  type InspectionState,
  inspectionJobId,
  parseInspectionRequest,
  renewInspection,
  requestInspection,
  waitForInspection,
} from "./inspections";
export { checkModelUrl } from "./model-url";
export { getModel, listModels, storeModel } from "./models";
export { getSearch, showProgress, stopSearch } from "./searches";
