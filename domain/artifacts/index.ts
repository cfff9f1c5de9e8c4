export {
  getArtifact,
  listArtifacts,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
export { registerSigningKey, type SigningKey } from "./signing-keys";
