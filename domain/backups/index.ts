export { restoreBackup } from "./restore-backup";
export { openSnapshot } from "./snapshot";
export type { BackupFile, BackupProgress } from "./types";
export { draftOf, writeBackup } from "./write-backup";
