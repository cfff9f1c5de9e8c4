export { type Companions, fetchCompanions, fetchParts, type Parts } from "./fetch-companions";
export { type FetchOptions, fetchSource, type SourceSettings } from "./fetch-source";
