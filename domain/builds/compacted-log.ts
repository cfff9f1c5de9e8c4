import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { LogLine } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, withTransaction } from "@/lib/server/db";
import { buckets, keepObject, type ObjectStore, objectStore } from "@/lib/server/storage";

/** A run of lines in the object of a compacted log: their numbers, and where they lie. */
interface LogBlock {
  readonly first: number;
  readonly last: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Where the log of an ended attempt lies in the store, and which lines each block has. */
export interface CompactedLog {
  readonly object: string;
  readonly blocks: readonly LogBlock[];
}

/** What a reader of one line has to fetch at most, roughly. */
const blockBytes = 256 * 1024;
/** Chunks that are in memory at once. */
const chunksAtOnce = 8;

/**
 * Moves the log of an ended attempt out of the database: into one object, a line of JSON per line, whose index is kept in
 * the attempt. The chunks are deleted in the transaction that writes the index, after the object was read back (R6).
 * Memory stays flat: the chunks are read twice, a few at a time. Safe to run twice, and by several workers.
 *
 * @returns Whether this call did it.
 */
export async function compactLog(
  buildId: string,
  epoch: number,
  store: ObjectStore,
): Promise<boolean> {
  const attempt = await database().attempt.findUnique({
    where: { buildId_epoch: { buildId, epoch } },
    select: { lines: true, endedAt: true, logIndex: true },
  });
  if (!attempt?.endedAt || attempt.logIndex !== null) return false;

  const hash = createHash("sha256");
  let sizeBytes = 0;
  const blocks: LogBlock[] = [];
  for await (const { first, last, bytes } of chunksOf(buildId, epoch)) {
    const offset = sizeBytes;
    const block = blocks.at(-1);
    if (block && block.bytes + bytes.length <= blockBytes)
      blocks[blocks.length - 1] = { ...block, last, bytes: block.bytes + bytes.length };
    else blocks.push({ first, last, offset, bytes: bytes.length });
    hash.update(bytes);
    sizeBytes += bytes.length;
  }
  // A log that changed since, or that another worker has moved already, has other lines.
  if ((blocks.at(-1)?.last ?? 0) !== attempt.lines) return false;

  const object = `${buildId}/${epoch}.jsonl`;
  const sha256 = hash.digest("hex");
  const promised = { digest: `sha256:${sha256}` as const, sizeBytes };
  try {
    await keepObject(store, { bucket: buckets.logs, key: object }, promised, () =>
      Readable.from(
        (async function* () {
          for await (const { bytes } of chunksOf(buildId, epoch)) yield bytes;
        })(),
        { objectMode: false },
      ),
    );
  } catch (error) {
    // Another worker that was quicker has deleted what was being read.
    if (await findCompacted(buildId, epoch)) return false;
    throw error;
  }

  return await withTransaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE attempt SET log_object = ${object}, log_sha256 = ${sha256},
        log_index = ${JSON.stringify(blocks)}::jsonb
      WHERE build_id = ${buildId}::uuid AND epoch = ${epoch} AND log_index IS NULL
        AND ended_at IS NOT NULL AND lines = ${attempt.lines}`;
    if (changed !== 1) return false;
    await tx.$executeRaw`
      DELETE FROM log_chunk WHERE build_id = ${buildId}::uuid AND epoch = ${epoch}`;
    return true;
  });
}

/** Attempts that ended a while ago and whose log is still in the database: their worker died, or the store was away. */
export async function listUncompacted(
  limit: number,
): Promise<readonly { readonly buildId: string; readonly epoch: number }[]> {
  return await database().$queryRaw<{ buildId: string; epoch: number }[]>`
    SELECT build_id AS "buildId", epoch FROM attempt
    WHERE log_index IS NULL AND ended_at < now() - interval '1 minute'
    ORDER BY ended_at DESC LIMIT ${limit}`;
}

/** The chunks of an attempt as they stand in the object. */
async function* chunksOf(
  buildId: string,
  epoch: number,
): AsyncGenerator<{ first: number; last: number; bytes: Buffer }> {
  for (let after = 0; ; ) {
    const chunks = await database().$queryRaw<{ seq: number; lines: LogLine[] }[]>`
      SELECT seq, lines FROM log_chunk
      WHERE build_id = ${buildId}::uuid AND epoch = ${epoch} AND seq > ${after}
      ORDER BY seq LIMIT ${chunksAtOnce}`;
    for (const { seq, lines } of chunks) {
      after = seq;
      const [first, last] = [lines[0]?.n ?? 0, lines.at(-1)?.n ?? 0];
      yield {
        first,
        last,
        bytes: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
      };
    }
    if (chunks.length < chunksAtOnce) return;
  }
}

/** Where an attempt's log lies in the store; null while its lines are still rows. */
export async function findCompacted(buildId: string, epoch: number): Promise<CompactedLog | null> {
  const [row] = await database().$queryRaw<CompactedLog[]>`
    SELECT log_object AS object, log_index AS blocks FROM attempt
    WHERE build_id = ${buildId}::uuid AND epoch = ${epoch} AND log_index IS NOT NULL`;
  return row ?? null;
}

/** Lines `from` to `to` of a compacted log: only the blocks that hold them are read. */
export async function readCompacted(
  { object, blocks }: CompactedLog,
  from: number,
  to: number,
): Promise<LogLine[]> {
  const wanted = blocks.filter(({ first, last }) => last >= from && first <= to);
  const [begin, end] = [wanted[0], wanted.at(-1)];
  if (!begin || !end) return [];
  const { stream } = await objectStore().get(buckets.logs, object, {
    offset: begin.offset,
    sizeBytes: end.offset + end.bytes - begin.offset,
  });
  const rows = (await text(stream)).split("\n").slice(0, -1);
  const first = begin.first;
  try {
    return rows
      .slice(Math.max(0, from - first), to - first + 1)
      .map((row) => JSON.parse(row) as LogLine);
  } catch (cause) {
    throw fail("OBJECT_DAMAGED", "The stored log cannot be read.", { cause });
  }
}
