import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError, fail, systemCodeOf } from "@/lib/common/errors";
import { isPlainKey } from "./buckets";
import { checkedBody } from "./checked-body";
import type { ByteRange, ObjectStore, PutOptions, StoredObject } from "./object-store";
import { settleConflict } from "./settle-conflict";

const temporary = ".incoming";

/** Objects as files: `<root>/<bucket>/<key>`. A file appears under its name only when it is whole and on the disk. */
export class FileStore implements ObjectStore {
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  async ensureBucket(bucket: string): Promise<void> {
    await mkdir(path.join(this.root, bucket), { recursive: true });
  }

  async put(
    bucket: string,
    key: string,
    body: Readable | Uint8Array,
    options: PutOptions,
  ): Promise<"stored" | "exists"> {
    const target = this.pathOf(bucket, key);
    const incoming = path.join(this.root, temporary, randomUUID());
    await mkdir(path.dirname(incoming), { recursive: true });
    // Open before a byte of the body is asked for: a body that fails at once must find the file that it leaves behind.
    const handle = await open(incoming, "wx").catch((error) => {
      throw toStorageError(error);
    });
    try {
      await pipeline(checkedBody(body, options), handle.createWriteStream({ flush: true }));
      await mkdir(path.dirname(target), { recursive: true });
      if (options.ifNoneMatch) await link(incoming, target);
      else await rename(incoming, target);
      await syncFolder(path.dirname(target));
      return "stored";
    } catch (error) {
      if (options.ifNoneMatch && codeOf(error) === "EEXIST")
        return await settleConflict(this, { bucket, key }, options);
      throw toStorageError(error);
    } finally {
      await handle.close().catch(() => {});
      await rm(incoming, { force: true });
    }
  }

  async get(
    bucket: string,
    key: string,
    range?: ByteRange,
  ): Promise<{ stream: Readable; sizeBytes: number }> {
    try {
      const handle = await open(this.pathOf(bucket, key), "r");
      const { size, isFile } = await handle
        .stat()
        .then((s) => ({ size: s.size, isFile: s.isFile() }));
      if (!isFile) {
        await handle.close();
        throw noSuchObject();
      }
      if (!range) return { stream: handle.createReadStream(), sizeBytes: size };
      const { offset: start, sizeBytes } = range;
      return { stream: handle.createReadStream({ start, end: start + sizeBytes - 1 }), sizeBytes };
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async head(bucket: string, key: string): Promise<{ sizeBytes: number } | null> {
    if (!isPlainKey(key)) return null;
    try {
      const found = await stat(this.pathOf(bucket, key));
      return found.isFile() ? { sizeBytes: found.size } : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw toStorageError(error);
    }
  }

  async delete(bucket: string, key: string): Promise<void> {
    await rm(this.pathOf(bucket, key), { force: true });
  }

  async *list(bucket: string, prefix = ""): AsyncIterable<StoredObject> {
    yield* this.walk(path.join(this.root, bucket), "", prefix);
  }

  private async *walk(folder: string, above: string, prefix: string): AsyncIterable<StoredObject> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error): Dirent[] => {
      if (isAbsent(error)) return [];
      throw toStorageError(error);
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = above + entry.name;
      const at = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (key.startsWith(prefix) || prefix.startsWith(`${key}/`))
          yield* this.walk(at, `${key}/`, prefix);
      } else if (key.startsWith(prefix)) {
        const found = await stat(at).catch(() => null);
        if (found) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
      }
    }
  }

  private pathOf(bucket: string, key: string): string {
    if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket) || !isPlainKey(key)) throw noSuchObject();
    return path.join(this.root, bucket, key);
  }
}

/** A rename is durable only once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().catch(() => {});
  await handle.close();
}

function noSuchObject(): AppError {
  return fail("NOT_FOUND", "There is no such object.");
}

function codeOf(error: unknown): string {
  return systemCodeOf(error) ?? "";
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR"].includes(codeOf(error));
}

function toStorageError(error: unknown): unknown {
  if (isAbsent(error)) return noSuchObject();
  if (["ENOSPC", "EDQUOT"].includes(codeOf(error)))
    return new AppError("resource_exhausted", "The storage is full.", {
      reason: "NO_SPACE",
      cause: error,
    });
  return error;
}
