export {
  type ClaimedInspection,
  claimInspection,
  finishInspection,
  getInspection,
  type InspectionState,
  inspectionJobId,
  renewInspection,
  requestInspection,
  waitForInspection,
} from "./inspections";
export { getSearch, parseLook, requestLook, showProgress, stopSearch } from "./looks";
export { checkModelUrl } from "./model-url";
export { getModel, listModels, type NewModel, storeModel } from "./models";
