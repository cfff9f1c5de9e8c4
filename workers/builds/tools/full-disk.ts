import { statfs } from "node:fs/promises";
import { type AppError, fail } from "@/lib/common/errors";

/** With less than this left, a tool has met the end of its disk, whatever it says of it. */
const leastBytes = 256 * 1024;

/** `NO_SPACE`, with the cause that a worker's own writes have, where the disk of a folder is full; null where there is room. */
export async function findFullDisk(folder: string): Promise<AppError | null> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= leastBytes) return null;
  const cause = Object.assign(new Error("no block is left"), { code: "ENOSPC" });
  return fail("NO_SPACE", "The build worker's disk is full.", { cause });
}
