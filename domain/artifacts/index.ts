export {
  getArtifact,
  listArtifacts,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
export { registerSigningKey } from "./signing-keys";
