export { startPatternSearch } from "./pattern-search";
