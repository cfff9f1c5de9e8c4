export { openArtifactArchive } from "./archive";
export { getArtifactDetail } from "./artifact-detail";
export { findDamage, markDamaged, markSound } from "./damage";
export { deleteArtifact } from "./delete-artifact";
export {
  deleteOrphan,
  holdObject,
  isNamed,
  letGo,
  listExpired,
  listLetGo,
  type ObjectPlace,
  releaseBuild,
  releaseObject,
} from "./holds";
export { countArtifacts, exportArtifacts, listArtifacts } from "./lists";
export { pinArtifact } from "./pins";
export { lockPlan } from "./plan-lock";
export { addProof, refuseArtifact } from "./proofs";
export {
  getArtifact,
  getArtifactFile,
  listObjectDigests,
  openArtifactFile,
} from "./queries";
export { findSigningKey, registerSigningKey } from "./signing-keys";
