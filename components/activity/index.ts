export { ActivityList } from "./activity-list";
