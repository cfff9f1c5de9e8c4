export { openArtifactArchive } from "./archive";
export { findDamage, markDamaged, markSound } from "./damage";
export {
  deleteOrphan,
  holdObject,
  listExpired,
  releaseObject,
} from "./holds";
export { addProof, refuseArtifact } from "./proofs";
export {
  getArtifact,
  getArtifactFile,
  listArtifacts,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
export { findSigningKey, registerSigningKey } from "./signing-keys";
