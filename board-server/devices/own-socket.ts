import { join } from "node:path";
import { makeTemporaryFolder } from "@/lib/server/process";

let folder: string | null = null;
let next = 1;

/**
 * A path for a model's own socket, in a folder of this process, which no other model ever had; null where paths are too
 * long for sockets.
 */
export function ownSocketPath(): string | null {
  folder ??= makeTemporaryFolder("slots");
  const path = join(folder, `${next++}`);
  return Buffer.byteLength(path) > 100 ? null : path;
}
