import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { type Digest, type Manifest, toDigest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { hexOf } from "@/lib/server/digest";
import { fault } from "@/lib/server/process";
import { syncFolder } from "../control";

/** A file as a manifest lists it. */
export type ArtifactFile = Manifest["files"][number];

/** The bytes as they come; a body that breaks off is the portal's absence, not ours to judge. */
async function* untilCut(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (cause) {
    throw fail("SOURCE_UNAVAILABLE", "The portal broke off in the middle of a file.", { cause });
  }
}

/** Where files of artifacts come from: the portal. */
export interface FileSource {
  openFile(artifact: Digest, file: Digest, signal: AbortSignal): Promise<Readable>;
}

/** Files of artifacts by their digest. Every use hashes the bytes again: disks are outside, too. */
export class ArtifactCache {
  private readonly folder: string;

  constructor(stateDir: string) {
    this.folder = path.join(stateDir, "artifacts");
  }

  /** Makes the folder and drops what a killed download left behind, and files that nobody needs. */
  async open(needed: ReadonlySet<string>): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) {
      if (!needed.has(`sha256:${name}`)) await rm(path.join(this.folder, name), { force: true });
    }
  }

  /**
   * Path of a file whose bytes are what the manifest says, fetched if it is not here.
   *
   * @throws {AppError} `ARTIFACT_MISMATCH` when size or digest differ; nothing is kept then.
   */
  async fetch(
    artifact: Digest,
    file: ArtifactFile,
    { source, signal }: { readonly source: FileSource; readonly signal: AbortSignal },
  ): Promise<string> {
    const place = path.join(this.folder, hexOf(file.digest));
    if (await this.holds(place, file)) return place;
    const temporary = `${place}.${process.pid}.${Date.now()}.part`;
    try {
      await this.download(artifact, file, { source, signal, temporary });
      await rename(temporary, place);
      await syncFolder(this.folder);
      return place;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  private async holds(place: string, file: ArtifactFile): Promise<boolean> {
    const size = await stat(place).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== file.sizeBytes) return false;
    const hash = createHash("sha256");
    const pieces: AsyncIterable<Buffer> = createReadStream(place);
    for await (const piece of pieces) hash.update(piece);
    return `sha256:${hash.digest("hex")}` === file.digest;
  }

  private async download(
    artifact: Digest,
    file: ArtifactFile,
    options: { source: FileSource; signal: AbortSignal; temporary: string },
  ): Promise<void> {
    const { source, signal, temporary } = options;
    const body = await source.openFile(artifact, toDigest(file.digest), signal);
    const hash = createHash("sha256");
    let size = 0;
    const handle = await open(temporary, "wx", 0o600);
    try {
      for await (const chunk of untilCut(body)) {
        size += chunk.length;
        if (size > file.sizeBytes) break;
        hash.update(chunk);
        await handle.write(chunk);
        fault("board-server.in-download");
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (size !== file.sizeBytes || `sha256:${hash.digest("hex")}` !== file.digest) {
      throw fail(
        "ARTIFACT_MISMATCH",
        `The file ${file.name} is not what the manifest says: ${size} bytes came, ${file.sizeBytes} are right.`,
      );
    }
  }
}
