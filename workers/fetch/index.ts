export { type Companions, fetchCompanions, fetchParts, type Parts } from "./fetch-companions";
export {
  type FetchOptions,
  fetchSource,
  type SourceSettings,
  sourceSettings,
} from "./fetch-source";
export {
  ownConnections,
  secretsOfProject,
  testConnection,
} from "./project-connections";
