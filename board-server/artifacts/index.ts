export { ArtifactCache, type FileSource } from "./cache";
export { openAdoptions, openAttachments, openCommand, openGateways, verifyCommand } from "./verify";
