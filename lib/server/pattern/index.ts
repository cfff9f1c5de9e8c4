export { type PatternSearch, startPatternSearch } from "./pattern-search";
