import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { canonicalJson, type Digest } from "@/lib/common/contract";

/** SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function digestOf(bytes: Uint8Array | string): Digest {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** SHA-256 of the canonical JSON (RFC 8785) of plain data. */
export function digestOfJson(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}

/** The hex part, which is what objects are named by. */
export function hexOf(digest: string): string {
  return digest.slice("sha256:".length);
}

/** Passes bytes on and hashes them on the way; `digest` and `sizeBytes` hold once the stream has ended. */
export class DigestStream extends Transform {
  private readonly hash = createHash("sha256");
  private ended: Digest | undefined;
  sizeBytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.sizeBytes += chunk.byteLength;
    done(null, chunk);
  }

  /** @throws {Error} While bytes may still come. */
  get digest(): Digest {
    if (!this.writableEnded) throw new Error("The stream has not ended.");
    this.ended ??= `sha256:${this.hash.digest("hex")}`;
    return this.ended;
  }
}
