export { listActivity } from "./queries";
