export { isPublicAddress } from "./addresses";
export { checkedConnector, type Resolve, systemResolve } from "./connector";
export { type ModelSources, sourcesOf } from "./model-sources";
export {
  followRedirect,
  ledAstray,
  parseSourceUrl,
  type SourcePolicy,
  type SourceUrl,
} from "./source-policy";
export { parseStoreAddress, type StoredPlace } from "./store-address";
