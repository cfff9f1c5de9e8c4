import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAppError, systemCodeOf } from "@/lib/common/errors";
import { digestOf, hexOf } from "@/lib/server/digest";
import { logger } from "@/lib/server/logger";
import { copyProduct, measureInput, measureProduct } from "./products";
import type { Tool } from "./tool";

/** What decides what a tool makes. */
export interface CachedStep {
  readonly tool: Pick<Tool, "command" | "version">;
  readonly args: readonly string[];
  /** Files of the work folder that it reads and makes. */
  readonly reads: readonly string[];
  readonly produces: readonly string[];
}

/** Products of steps by what they follow from; safe for several workers at a time. */
export interface StepCache {
  /** Puts the products of an equal step into the work folder. False when there was none. */
  take(work: string, key: string, produces: readonly string[]): Promise<boolean>;
  /** Remembers the products of a step that went well. */
  keep(work: string, key: string, produces: readonly string[]): Promise<void>;
}

/** Beside the products: what they must be. No product may be called so. */
const digestsFile = ".digests.json";

/** The name of a step: equal tools, arguments and inputs give equal products. */
export async function stepKey(work: string, step: CachedStep): Promise<string> {
  const { tool, args, produces } = step;
  const reads = await Promise.all(
    step.reads.map(async (name) => [name, (await measureInput(work, name)).digest]),
  );
  return hexOf(digestOf(JSON.stringify([tool.command, tool.version, args, reads, produces])));
}

/**
 * Products of tools by what they were made of, in a folder of the worker: a build that is tried again goes on where it
 * stopped, and one that differs later in the plan takes what is equal before. It may vanish at any time.
 *
 * @param maxBytes What was longest unused goes first. 0: nothing is kept.
 */
export function createStepCache(folder: string, maxBytes: number): StepCache {
  const placeOf = (key: string) => join(folder, key);
  return {
    async take(work, key, produces) {
      const place = placeOf(key);
      try {
        const digests = JSON.parse(await readFile(join(place, digestsFile), "utf8"));
        for (const name of produces) {
          await copyProduct(name, place, work);
          const { digest } = await measureProduct(work, name);
          // A crash of the machine may have left half a file.
          if (digest !== digests[name]) throw new Error(`${name} is not what was kept`);
        }
        const now = new Date();
        await utimes(place, now, now);
        return true;
      } catch (error) {
        const isMissing =
          systemCodeOf(error) === "ENOENT" ||
          (isAppError(error) && error.reason === "OUTPUT_MISSING");
        if (!isMissing) await rm(place, { recursive: true, force: true });
        return false;
      }
    },
    async keep(work, key, produces) {
      const place = placeOf(key);
      const part = `${place}.${randomBytes(4).toString("hex")}.part`;
      try {
        const measured = await Promise.all(produces.map((name) => measureProduct(work, name)));
        const bytes = measured.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        if (bytes > maxBytes / 4) return;
        await mkdir(part, { recursive: true, mode: 0o700 });
        for (const name of produces) await copyProduct(name, work, part);
        const digests = Object.fromEntries(
          produces.map((name, index) => [name, measured[index]?.digest]),
        );
        await writeFile(join(part, digestsFile), JSON.stringify(digests));
        await rename(part, place);
        await shrink(folder, maxBytes);
      } catch (err) {
        await rm(part, { recursive: true, force: true });
        // An equal step may have been kept meanwhile; a full disk is no reason to fail a build.
        const code = systemCodeOf(err);
        if (code !== "ENOTEMPTY" && code !== "EEXIST")
          logger().warn({ err }, "a step was not kept");
      }
    },
  };
}

async function shrink(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder);
  const entries = await Promise.all(
    names.map(async (name) => {
      const place = join(folder, name);
      const [{ mtimeMs }, files] = await Promise.all([stat(place), readdir(place)]);
      const sizes = await Promise.all(
        files.map(async (file) => (await stat(join(place, file))).size),
      );
      return { place, mtimeMs, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    }),
  );
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { place, bytes } of entries.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= maxBytes) return;
    await rm(place, { recursive: true, force: true });
    total -= bytes;
  }
}
