export { ArtifactCache, type FileSource } from "./cache";
export { openAdoptions, openAttachments, openCommand, verifyCommand } from "./verify";
