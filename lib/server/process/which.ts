import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { commonEnv } from "@/lib/server/env";

const known = new Map<string, string | null>();

/** Absolute path of a command on `PATH`, or null. Looked up once per process. */
export function findOnPath(command: string): string | null {
  const cached = known.get(command);
  if (cached !== undefined) return cached;
  const path =
    commonEnv()
      .PATH.split(delimiter)
      .filter((folder) => folder.startsWith("/"))
      .map((folder) => join(folder, command))
      .find(isExecutable) ?? null;
  known.set(command, path);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
