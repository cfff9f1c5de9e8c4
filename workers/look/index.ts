export { lookAtRows } from "./look-at-rows";
export { runSearch } from "./run-search";
