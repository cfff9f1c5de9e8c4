import { constants } from "node:fs";
import { mkdir, open, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@/lib/common/errors";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Of `12` and `12.spill`; below all where a name tells none. */
const epochOf = (name: string): number => Number(/^(\d+)(\.|$)/.exec(name)?.[1] ?? -1);

/** The folder of one attempt, the only one that its tools can write. */
export interface WorkFolder {
  readonly path: string;
  /** Where our own log may spill to: beside the folder, out of the reach of tools. */
  readonly spillPath: string;
  /** Writes a plan's file. What a tool left under its name is removed, never written to. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/** Makes the empty folder of one attempt, `<home>/work/<build>/<epoch>`. */
export async function makeWorkFolder(
  home: string,
  { buildId, epoch }: { readonly buildId: string; readonly epoch: number },
): Promise<WorkFolder> {
  const build = join(home, "work", buildId);
  const path = join(build, String(epoch));
  const spillPath = `${path}.spill`;
  // Older attempts are fenced off: nobody needs what they left. A newer one may share this home.
  for (const name of await readdir(build).catch(() => [])) {
    if (epochOf(name) <= epoch) await rm(join(build, name), { recursive: true, force: true });
  }
  await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    path,
    spillPath,
    async write(name, content) {
      if (!plainName.test(name)) throw fail("OUTPUT_INVALID", "A plan's file has a bad name.");
      const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
      const target = join(path, name);
      await rm(target, { recursive: true, force: true });
      const file = await open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
      try {
        await file.writeFile(content);
      } finally {
        await file.close();
      }
    },
    async remove() {
      await rm(path, { recursive: true, force: true });
      await rm(spillPath, { force: true });
      // Gone with its last attempt.
      await rmdir(build).catch(() => {});
    },
  };
}

/**
 * Removes the folders of attempts that have no build any more: their worker died. An attempt has its build before it makes
 * its folder, so one that is listed here and then found without a build never gets it back.
 *
 * @param attemptOf The attempt that has a build now. Where it throws, the build's folders stay.
 * @returns How many folders went.
 */
export async function sweepWorkFolders(
  home: string,
  attemptOf: (buildId: string) => Promise<number | null>,
): Promise<number> {
  const work = join(home, "work");
  let swept = 0;
  for (const buildId of await readdir(work).catch(() => [])) {
    const build = join(work, buildId);
    const epochs = await readdir(build).catch(() => []);
    try {
      const live = uuid.test(buildId) ? await attemptOf(buildId) : null;
      for (const name of epochs) {
        if (epochOf(name) === live) continue;
        await rm(join(build, name), { recursive: true, force: true });
        swept++;
      }
      await rmdir(build);
    } catch {
      // Still in use, or nobody knows: the next sweep comes by.
    }
  }
  return swept;
}
