import type { z } from "zod";
import { idPrefixes, type LogLine, type logPageSchema, type Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, parseId, type Tx, withTransaction } from "@/lib/server/db";
import { type CompactedLog, findCompacted, readCompacted } from "./compacted-log";

/** Lines of one attempt, and whether more may come. */
export type LogPage = z.infer<typeof logPageSchema>;

/** Bytes of a line in the plain text of the log: itself and a newline. */
const sizeOf = (line: LogLine): number => Buffer.byteLength(line.text) + 1;

/**
 * Adds lines to an attempt's log as one chunk. Numbers must be dense and begin after the last line; lines that are there
 * already are left as they are (R9), so that a writer may send again after a lost answer.
 *
 * @throws {AppError} `LEASE_LOST`, also when the lines would leave a gap.
 */
export async function appendLog(
  buildId: string,
  epoch: number,
  lines: readonly LogLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await withTransaction(async (tx) => {
    const attempt = await lockAttempt(tx, buildId, epoch);
    const fresh = lines.filter(({ n }) => n > attempt.lines);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return;
    const dense = fresh.every(({ n }, i) => n === attempt.lines + 1 + i);
    if (!dense) throw fail("LEASE_LOST", `Log lines of build ${buildId} are not consecutive.`);

    let offset = Number(attempt.logBytes);
    const placed = fresh.map((line) => {
      const at = offset;
      offset += sizeOf(line);
      return { ...line, offset: at };
    });
    const bytes = offset - Number(attempt.logBytes);
    await tx.$executeRaw`
      INSERT INTO log_chunk (build_id, epoch, seq, first_line, last_line, byte_offset, bytes, lines)
      VALUES (${buildId}::uuid, ${epoch}, ${attempt.chunks + 1}, ${first.n}, ${last.n},
        ${attempt.logBytes}, ${bytes}, ${JSON.stringify(placed)}::jsonb)
      ON CONFLICT DO NOTHING`;
    await tx.$executeRaw`
      UPDATE attempt SET lines = ${last.n}, log_bytes = ${offset}
      WHERE build_id = ${buildId}::uuid AND epoch = ${epoch}`;
  });
}

async function lockAttempt(tx: Tx, buildId: string, epoch: number) {
  const [attempt] = await tx.$queryRaw<{ lines: number; logBytes: bigint; chunks: number }[]>`
    SELECT a.lines, a.log_bytes AS "logBytes",
      (SELECT coalesce(max(c.seq), 0) FROM log_chunk c WHERE c.build_id = a.build_id AND c.epoch = a.epoch) AS chunks
    FROM attempt a JOIN build b ON b.id = a.build_id
    WHERE a.build_id = ${buildId}::uuid AND a.epoch = ${epoch}
      AND b.lease_epoch = ${epoch} AND b.state <> 'queued' AND a.log_index IS NULL
    FOR UPDATE OF a`;
  if (!attempt) throw fail("LEASE_LOST", "Another attempt has this build, or its log is closed.");
  return attempt;
}

/** Notes that a tool said more than is kept. */
export async function markLogTruncated(buildId: string, epoch: number): Promise<void> {
  await database().$executeRaw`
    UPDATE attempt SET log_truncated = true WHERE build_id = ${buildId}::uuid AND epoch = ${epoch}`;
}

/**
 * A piece of a build's log.
 *
 * @param options `attempt`: default the newest. `from`: the first line wanted, counted from 1.
 * @returns Up to `limit` lines; `final` once the attempt has ended and no line can follow `total`.
 * @throws {AppError} `BUILD_UNKNOWN`, also for an attempt that never was.
 */
export async function readLog(
  scope: Scope,
  id: string,
  options: { readonly attempt?: number; readonly from: number; readonly limit: number },
): Promise<LogPage> {
  const buildId = parseId(idPrefixes.build, id);
  const head = buildId ? await findHead(scope, buildId, options.attempt) : undefined;
  const neverWas = head?.lines === null && options.attempt !== undefined;
  if (!buildId || !head || neverWas)
    throw fail("BUILD_UNKNOWN", "There is no such build or attempt.");
  const { epoch, ended } = head;
  const total = head.lines ?? 0;
  const from = options.from;
  const to = Math.min(total, from + options.limit - 1);
  const lines =
    from > to ? [] : await readLines({ buildId, epoch, from, to, compacted: head.compacted });
  return { attempt: epoch, lines, total, final: ended };
}

interface Head {
  readonly epoch: number;
  readonly lines: number | null;
  readonly ended: boolean;
  readonly compacted: CompactedLog | null;
}

async function findHead(
  scope: Scope,
  buildId: string,
  attempt: number | undefined,
): Promise<Head | undefined> {
  const [head] = await database().$queryRaw<Head[]>`
    SELECT coalesce(${attempt ?? null}::int, b.lease_epoch) AS epoch, a.lines,
      a.ended_at IS NOT NULL OR (a.epoch IS NULL AND b.ended_at IS NOT NULL) AS ended,
      CASE WHEN a.log_index IS NOT NULL
        THEN jsonb_build_object('object', a.log_object, 'blocks', a.log_index) END AS compacted
    FROM build b LEFT JOIN attempt a
      ON a.build_id = b.id AND a.epoch = coalesce(${attempt ?? null}::int, b.lease_epoch)
    WHERE b.id = ${buildId}::uuid AND b.project_id = ${scope}::uuid`;
  return head;
}

interface Lines {
  readonly buildId: string;
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
  readonly compacted: CompactedLog | null;
}

/** Lines that there are: from the object of a compacted log, else from the chunks. */
async function readLines({ buildId, epoch, from, to, compacted }: Lines): Promise<LogLine[]> {
  if (compacted) return await readCompacted(compacted, from, to);
  const chunks = await database().$queryRaw<{ lines: LogLine[] }[]>`
    SELECT lines FROM log_chunk
    WHERE build_id = ${buildId}::uuid AND epoch = ${epoch}
      AND last_line >= ${from} AND first_line <= ${to}
    ORDER BY seq`;
  const lines = chunks.flatMap((chunk) => chunk.lines).filter(({ n }) => n >= from && n <= to);
  if (lines.length === to - from + 1) return lines;
  // The log was compacted between the two reads.
  const now = await findCompacted(buildId, epoch);
  return now ? await readCompacted(now, from, to) : lines;
}
