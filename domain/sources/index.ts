export { checkedConnector, type Resolve, systemResolve } from "./connector";
export { type ModelSources, sourcesOf } from "./model-sources";
export {
  followRedirect,
  parseSourceUrl,
  type SourcePolicy,
  type SourceUrl,
} from "./source-policy";
export { parseStoreAddress, type StoredPlace } from "./store-address";
