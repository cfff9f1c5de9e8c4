import { link, rename, rm, stat } from "node:fs/promises";
import { fail, isAppError, systemCodeOf } from "@/lib/common/errors";
import type { ObjectStore } from "@/lib/server/storage";
import { ArchiveWriter } from "./archive-writer";
import type { NamedObject } from "./named-objects";
import type { Snapshot } from "./snapshot";
import {
  type BackupFile,
  type BackupManifest,
  type BackupProgress,
  formatVersion,
  memberNames,
} from "./types";

/** What a backup was made of. */
export interface Backup {
  readonly sizeBytes: number;
  readonly rows: number;
  readonly objects: number;
  readonly flawed: BackupManifest["flawed"];
}

interface WriteOptions {
  readonly snapshot: Snapshot;
  readonly store: ObjectStore;
  readonly files: readonly BackupFile[];
  readonly onProgress?: (progress: BackupProgress) => void;
}

/** Rows that are in memory at once. */
const pieceBytes = 4 << 20;

/**
 * Writes an installation to one file, readable by its user alone: files of its data folder, the rows of the snapshot, and the
 * objects that these name, each hashed on the way. Nothing is held whole in memory. The file appears under its name when it
 * is whole and on the disk.
 *
 * An object that is gone or is not what its row says does not keep the rest from being written: it is listed as `flawed`, and
 * written as it is.
 *
 * @throws {AppError} `BACKUP_TARGET_TAKEN`, `STORE_UNAVAILABLE`, `NO_SPACE`
 */
export async function writeBackup(file: string, options: WriteOptions): Promise<Backup> {
  if (await stat(file).catch(() => null)) throw taken(file);
  const draft = draftOf(file);
  const archive = await ArchiveWriter.create(draft).catch((cause) => {
    throw fail("PATH_INVALID", `The backup cannot be written to ${file}: ${cause.message}.`, {
      cause,
    });
  });
  try {
    const made = await writeParts(archive, options);
    await archive.finish();
    await archive.close();
    await appear(draft, file);
    return { sizeBytes: archive.sizeBytes, ...made };
  } finally {
    await archive.close().catch(() => {});
    await rm(draft, { force: true });
  }
}

/** Where a backup lies while it is written. */
export const draftOf = (file: string): string => `${file}.${process.pid}.part`;

/** Gives a file its name, and takes it from no other; not every file system has links. */
async function appear(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") throw taken(file);
    await rename(draft, file);
  }
}

const taken = (file: string) =>
  fail("BACKUP_TARGET_TAKEN", `${file} is there already.`, { hint: "Name another file." });

async function writeParts(
  archive: ArchiveWriter,
  { snapshot, store, files, onProgress = () => {} }: WriteOptions,
): Promise<Omit<Backup, "sizeBytes">> {
  const tell = (part: BackupProgress["part"], count: number) =>
    onProgress({ part, count, bytes: archive.sizeBytes });
  const about = await snapshot.describe();
  await archive.addJson(memberNames.header, {
    format: "boardwalk-backup",
    formatVersion,
    ...about,
  });
  for (const [at, { name, bytes }] of files.entries()) {
    await archive.add(memberNames.file(name), bytes.length, [bytes]);
    tell("files", at + 1);
  }

  const rows: Record<string, number> = {};
  let rowCount = 0;
  for (const table of about.tables) {
    const copy = snapshot.copyOut(table);
    let piece = 0;
    for await (const bytes of inPieces(copy.pieces)) {
      await archive.add(memberNames.rows(table.name, ++piece), bytes.length, [bytes]);
      tell("rows", rowCount);
    }
    rows[table.name] = copy.rows();
    rowCount += copy.rows();
    tell("rows", rowCount);
  }
  const sequences = await snapshot.readSequences();

  const flawed: BackupManifest["flawed"] = [];
  let objects = 0;
  for await (const object of snapshot.listObjects()) {
    const fault = await writeObject(archive, store, object);
    if (fault !== "missing") objects++;
    if (fault && (fault === "damaged" || (await snapshot.isStillNamed(object))))
      flawed.push({ bucket: object.bucket, key: object.key, fault });
    tell("objects", objects);
  }
  const manifest: BackupManifest = { rows, objects, flawed, sequences, members: archive.members };
  await archive.addJson(memberNames.manifest, manifest);
  return { rows: rowCount, objects, flawed };
}

/** Answers what is wrong with it. */
async function writeObject(
  archive: ArchiveWriter,
  store: ObjectStore,
  { bucket, key, digest }: NamedObject,
): Promise<"missing" | "damaged" | null> {
  const found = await store.get(bucket, key).catch((error: unknown) => {
    if (isAppError(error) && error.reason === "NOT_FOUND") return null;
    throw error;
  });
  if (!found) return "missing";
  const sha256 = await archive.add(memberNames.object(bucket, key), found.sizeBytes, found.stream);
  return digest === null || digest === `sha256:${sha256}` ? null : "damaged";
}

/** The same bytes in pieces that are worth a member of their own. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of source) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
