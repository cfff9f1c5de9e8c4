export { findDamage, markDamaged, markSound } from "./damage";
export { addProof, refuseArtifact } from "./evidence";
export {
  deleteOrphan,
  holdObject,
  listExpired,
  releaseObject,
} from "./holds";
export {
  getArtifact,
  getArtifactFile,
  listArtifacts,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
export { registerSigningKey } from "./signing-keys";
