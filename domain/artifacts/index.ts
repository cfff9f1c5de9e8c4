export {
  getArtifact,
  listArtifacts,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
