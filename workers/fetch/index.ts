export { checkedConnector, type Resolve, systemResolve } from "./connector";
export { type Companions, fetchCompanions, fetchParts, type Parts } from "./fetch-companions";
export { type FetchOptions, fetchSource, type SourceSettings } from "./fetch-source";
