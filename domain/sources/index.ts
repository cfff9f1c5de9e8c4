export { addressBeside } from "./address-beside";
export { checkedConnector, checkedLookup, type Resolve, systemResolve } from "./connector";
export { parseHubAddress } from "./kinds/huggingface";
export { type LayerAddress, parseLayerAddress } from "./kinds/oci";
export { parseObjectAddress } from "./kinds/s3";
export { type ModelSources, sharedPrefixes, sourcesOf } from "./model-sources";
export {
  checkAddress,
  checkPlace,
  claimsOf,
  isLoopback,
  originsOf,
  placeOf,
  prefixesOf,
  refuseUnconnected,
} from "./place-of";
export {
  followRedirect,
  parseSourceUrl,
  type SourcePolicy,
  type SourceUrl,
} from "./source-policy";
export { parseStoreAddress, type StoredPlace } from "./store-address";
