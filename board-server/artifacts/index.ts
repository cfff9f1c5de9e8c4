export { ArtifactCache, type FileSource } from "./cache";
export { openAdoptions, openCommand, verifyCommand } from "./verify";
