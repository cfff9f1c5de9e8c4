import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A file or folder of our own user; null also for one that is gone. */
function own(path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const isOurs = found && (process.getuid === undefined || found.uid === process.getuid());
  return isOurs && !found.isSymbolicLink() ? found : null;
}

/** Takes what others may do with a file or folder of ours away from them. */
export function makePrivate(path) {
  const found = own(path);
  if (found && (found.mode & 0o077) !== 0) chmodSync(path, found.mode & 0o700);
}

/** The same for a folder with everything below it; what belongs to another user, such as Postgres's data, is left alone. */
export function makeAllPrivate(path) {
  const found = own(path);
  if (!found) return;
  makePrivate(path);
  if (found.isDirectory()) for (const name of readdirSync(path)) makeAllPrivate(join(path, name));
}
