export {
  addRevision,
  deploy,
  endpointOverviewQuery,
  endpointQuery,
  endpointsPageQuery,
  revisionsQuery,
  rollBack,
  takenNamesQuery,
} from "./api";
export { useEndpointAppearance } from "./appearance";
export { ChangeDialog } from "./change-dialog";
export { differencesOf } from "./differences";
export { EndpointState } from "./endpoint-state";
export { EndpointView } from "./endpoint-view";
export { EndpointsList } from "./endpoints-list";
export { outlookOf, outlookWords } from "./outlook";
export { hasSeen } from "./sight";
export { ErrorCell, RateCell, RecentCell, SlowestCell } from "./traffic/cells";
