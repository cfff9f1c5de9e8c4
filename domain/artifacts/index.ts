export {
  getArtifact,
  getArtifactFile,
  listArtifacts,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
export { registerSigningKey } from "./signing-keys";
