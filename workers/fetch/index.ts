export { type Companions, fetchCompanions } from "./fetch-companions";
export { type FetchOptions, fetchSource, type SourceSettings } from "./fetch-source";
