import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { commonEnv } from "@/lib/server/env";

/** Absolute path of a command on `PATH` as it is now, or null: programs come, go and are replaced while we run. */
export function findOnPath(command: string): string | null {
  return (
    commonEnv()
      .PATH.split(delimiter)
      .filter((folder) => folder.startsWith("/"))
      .map((folder) => join(folder, command))
      .find(isExecutable) ?? null
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
