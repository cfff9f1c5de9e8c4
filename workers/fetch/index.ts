export { type Companions, fetchCompanions, parseCard } from "./fetch-companions";
export {
  type FetchedSource,
  type FetchOptions,
  fetchSource,
  maxSourceBytes,
  type SourceSettings,
} from "./fetch-source";
export { parseRows } from "./parse-rows";
