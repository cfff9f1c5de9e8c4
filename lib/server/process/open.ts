import { sweepTemporaryFolders } from "./temporary";

/**
 * The first call of every `main`: what this process and its children write can be read by its user alone, and what dead
 * ones left in the temporary folder is swept.
 */
export function openProcess(): void {
  process.umask(0o077);
  sweepTemporaryFolders();
}
