export { type ErrorEntry, ErrorList } from "./error-list";
