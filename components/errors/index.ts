export { type ErrorEntry, ErrorList, type ErrorListWords } from "./error-list";
