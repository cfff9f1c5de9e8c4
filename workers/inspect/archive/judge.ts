import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isAppError } from "@/lib/common/errors";

import { ExpansionMeter, type Keep } from "./members";
import { broken } from "./rejected";
import { TarJudge } from "./tar";
import { judgeZip } from "./zip";

/** How the bytes of an archive are packed. */
export type Packing = "zip" | "tar" | "gzip";

/**
 * Lists an archive and judges every member, expanding only to count. Nothing is written, and nothing kept but what `keep`
 * takes, which is given pieces of files before later members are judged.
 *
 * @returns Names of the members; null for a gzip file that holds no tar.
 * @throws {AppError} `ARCHIVE_REJECTED` naming the first member at fault and the rule; `ARCHIVE_INVALID`.
 */
export async function judgeArchive(
  bytes: Uint8Array,
  packing: Packing,
  keep?: Keep,
): Promise<readonly string[] | null> {
  if (packing === "zip") return judgeZip(bytes, keep);
  const judge = new TarJudge(new ExpansionMeter(bytes.length), keep);
  if (packing === "tar") {
    for (let at = 0; at < bytes.length; at += 65_536) judge.push(bytes.subarray(at, at + 65_536));
  } else if (!(await judgeGzip(bytes, judge))) {
    return null;
  }
  judge.end();
  return judge.members.names;
}

const sliceBytes = 65_536;

/** False for a stream whose first block is no tar header. */
async function judgeGzip(bytes: Uint8Array, judge: TarJudge): Promise<boolean> {
  const gunzip = createGunzip();
  // In slices, so that expanding stops where judging does.
  Readable.from(slices(bytes)).pipe(gunzip);
  let head: Buffer = Buffer.alloc(0);
  let isTar: boolean | null = null;
  try {
    const chunks: AsyncIterable<Buffer> = gunzip;
    for await (const chunk of chunks) {
      if (isTar) {
        judge.push(chunk);
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length < 512) continue;
      isTar = head.subarray(257, 262).toString("latin1") === "ustar";
      if (!isTar) return false;
      judge.push(head);
    }
    return isTar === true;
  } catch (error) {
    throw isAppError(error) ? error : broken("its compression is damaged");
  } finally {
    gunzip.destroy();
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
  }
}
