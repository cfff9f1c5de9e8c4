import { constants } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@/lib/common/errors";

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

export interface WorkFolder {
  readonly path: string;
  /** Writes a plan's file. Links that somebody left are not followed. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/** Makes the empty folder of one attempt, `<home>/work/<build>/<epoch>`. */
export async function makeWorkFolder(
  home: string,
  { buildId, epoch }: { readonly buildId: string; readonly epoch: number },
): Promise<WorkFolder> {
  const build = join(home, "work", buildId);
  // Older attempts are fenced off: nobody needs what they left.
  await rm(build, { recursive: true, force: true });
  const path = join(build, String(epoch));
  await orNoSpace(() => mkdir(path, { recursive: true, mode: 0o700 }));
  return {
    path,
    async write(name, content) {
      if (!plainName.test(name)) throw fail("OUTPUT_INVALID", "A plan's file has a bad name.");
      const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
      await orNoSpace(async () => {
        const file = await open(join(path, name), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
        try {
          await file.writeFile(content);
        } finally {
          await file.close();
        }
      });
    },
    remove: () => rm(build, { recursive: true, force: true }),
  };
}

/** Removes the folders of builds that nobody works on: their worker died. */
export async function sweepWorkFolders(
  home: string,
  isAlive: (buildId: string) => Promise<boolean>,
): Promise<number> {
  const folder = join(home, "work");
  const names = await readdir(folder).catch(() => []);
  let swept = 0;
  for (const name of names) {
    if (await isAlive(name)) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    swept++;
  }
  return swept;
}

async function orNoSpace<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const full = error instanceof Error && "code" in error && error.code === "ENOSPC";
    throw full ? fail("NO_SPACE", "The build worker's disk is full.", { cause: error }) : error;
  }
}
