import type { z } from "zod";
import {
  type AttemptOutline,
  idPrefixes,
  type LogDifference,
  type LogLine,
  type LogOutline,
  type LogSearch,
  type logPageSchema,
  type Scope,
  type StageName,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { comparableLine, emptyOutline, extendOutline, plainLine } from "@/lib/common/log-outline";
import { database, parseId, type Tx, withTransaction } from "@/lib/server/db";
import { startPatternSearch } from "@/lib/server/pattern";
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
    // A log that was begun by an earlier version has none yet: it is made when it is asked for.
    const outline = outlineAfter(attempt, fresh);
    await tx.$executeRaw`
      INSERT INTO log_chunk (build_id, epoch, seq, first_line, last_line, byte_offset, bytes, lines)
      VALUES (${buildId}::uuid, ${epoch}, ${attempt.chunks + 1}, ${first.n}, ${last.n},
        ${attempt.logBytes}, ${bytes}, ${JSON.stringify(placed)}::jsonb)
      ON CONFLICT DO NOTHING`;
    await tx.$executeRaw`
      UPDATE attempt SET lines = ${last.n}, log_bytes = ${offset}, log_outline = ${outline && JSON.stringify(outline)}::jsonb
      WHERE build_id = ${buildId}::uuid AND epoch = ${epoch}`;
  });
}

interface Locked {
  readonly lines: number;
  readonly logBytes: bigint;
  readonly outline: LogOutline | null;
  readonly chunks: number;
}

/** The outline with what comes; null where that which it should follow on is not there. */
function outlineAfter({ lines, outline }: Locked, fresh: readonly LogLine[]): LogOutline | null {
  const earlier = outline ?? emptyOutline;
  return earlier.lines === lines ? extendOutline(earlier, fresh) : null;
}

async function lockAttempt(tx: Tx, buildId: string, epoch: number) {
  const [attempt] = await tx.$queryRaw<Locked[]>`
    SELECT a.lines, a.log_bytes AS "logBytes", a.log_outline AS outline,
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
  const { epoch, ended, total, buildId, compacted } = await getHead(scope, id, options.attempt);
  const from = options.from;
  const to = Math.min(total, from + options.limit - 1);
  const lines = from > to ? [] : await readLines({ buildId, epoch, from, to, compacted });
  return { attempt: epoch, lines, total, final: ended };
}

async function getHead(scope: Scope, id: string, attempt: number | undefined) {
  const buildId = parseId(idPrefixes.build, id);
  const head = buildId ? await findHead(scope, buildId, attempt) : undefined;
  const neverWas = head?.lines === null && attempt !== undefined;
  if (!buildId || !head || neverWas)
    throw neverWas
      ? fail("BUILD_UNKNOWN", `There is no attempt ${attempt} of the build “${id}”.`, {
          hint: `GET /api/v1/builds/${id} says how many there were.`,
        })
      : notFound("build", id);
  return { ...head, buildId, total: head.lines ?? 0 };
}

/** Lines that are looked through at a time. */
const stride = 10_000;

/** All lines of a log up to its present end, some at a time. */
async function* everyLine({
  total,
  ...of
}: Pick<Lines, "buildId" | "epoch" | "compacted"> & { readonly total: number }): AsyncGenerator<
  readonly LogLine[]
> {
  for (let from = 1; from <= total; from += stride)
    yield await readLines({ ...of, from, to: Math.min(total, from + stride - 1) });
}

/**
 * Stages, counts and problems of a log. Logs of earlier versions are read through once, and theirs is kept when they have ended.
 *
 * @throws {AppError} `BUILD_UNKNOWN`, also for an attempt that never was.
 */
export async function getLogOutline(
  scope: Scope,
  id: string,
  attempt?: number,
): Promise<AttemptOutline> {
  const head = await getHead(scope, id, attempt);
  const { epoch, ended, total, buildId } = head;
  let outline = head.outline ?? emptyOutline;
  if (outline.lines < total) {
    outline = emptyOutline;
    for await (const lines of everyLine(head)) outline = extendOutline(outline, lines);
    if (ended)
      await database().$executeRaw`
        UPDATE attempt SET log_outline = ${JSON.stringify(outline)}::jsonb
        WHERE build_id = ${buildId}::uuid AND epoch = ${epoch} AND lines = ${outline.lines}`;
  }
  return { ...outline, attempt: epoch, final: ended, truncated: head.truncated };
}

/** Numbers of lines that a search tells; all are counted. */
const mostNumbers = 10_000;

interface Sought {
  readonly attempt?: number;
  readonly text: string;
  /** Whether capital and small letters differ. */
  readonly isExact: boolean;
  /** Whether the text is a regular expression. */
  readonly isPattern?: boolean;
  /** Ends the search when nobody waits for it. */
  readonly signal?: AbortSignal;
}

/**
 * Looks for a text or a regular expression in every line of a log, as it is drawn.
 *
 * @throws {AppError} `BUILD_UNKNOWN`, also for an attempt that never was; `QUERY_INVALID` for what is no regular expression, and
 *   `DEADLINE_EXCEEDED` for one that takes too long.
 */
export async function searchLog(scope: Scope, id: string, wanted: Sought): Promise<LogSearch> {
  const head = await getHead(scope, id, wanted.attempt);
  const search = wanted.isPattern
    ? await startPatternSearch(wanted.text, wanted)
    : textSearch(wanted);
  const numbers: number[] = [];
  const stages = new Map<StageName, number>();
  let total = 0;
  try {
    for await (const lines of everyLine(head)) {
      wanted.signal?.throwIfAborted();
      for (const place of await search.placesIn(lines.map(({ text }) => plainLine(text)))) {
        const line = lines[place];
        if (!line) continue;
        total += 1;
        stages.set(line.stage, (stages.get(line.stage) ?? 0) + 1);
        if (numbers.length < mostNumbers) numbers.push(line.n);
      }
    }
  } finally {
    search.close();
  }
  return {
    ...{ attempt: head.epoch, lines: head.total, total, numbers },
    stages: [...stages].map(([stage, count]) => ({ stage, count })),
  };
}

function textSearch({ text: wanted, isExact }: Sought) {
  const fold = (text: string) => (isExact ? text : text.toLowerCase());
  const sought = fold(wanted);
  return {
    placesIn: (texts: readonly string[]) =>
      texts.flatMap((text, place) => (fold(text).includes(sought) ? place : [])),
    close: () => {},
  };
}

/** Of a line that is shown beside another. */
const mostShown = 400;

/**
 * The first line that differs between the newest attempts of two builds, where times, memory, temporary folders, ids and empty
 * lines do not count. Reads both logs a stride at a time, and no further than to that line.
 *
 * @throws {AppError} `BUILD_UNKNOWN`
 */
export async function getLogDifference(
  scope: Scope,
  here: string,
  there: string,
): Promise<LogDifference> {
  // One after the other: what is said not to be there is the first that is not.
  const one = await getHead(scope, here, undefined);
  const other = await getHead(scope, there, undefined);
  const [lines, otherLines] = [linesThatSay(one), linesThatSay(other)];
  const final = one.ended && other.ended;
  try {
    for (let same = 0; ; same++) {
      const [a, b] = await Promise.all([lines.next(), otherLines.next()]);
      if (a.done && b.done) return { same, first: null, final };
      // What one has not said yet is no difference while it may still say it.
      if ((a.done && !one.ended) || (b.done && !other.ended)) return { same, first: null, final };
      if (a.done || b.done || a.value.words !== b.value.words)
        return {
          ...{ same, final },
          first: { here: placeOf(one, a), there: placeOf(other, b) },
        };
    }
  } finally {
    await Promise.all([lines.return(undefined), otherLines.return(undefined)]);
  }
}

interface Said {
  readonly line: LogLine;
  /** What of it is compared. */
  readonly words: string;
}

async function* linesThatSay(head: Parameters<typeof everyLine>[0]): AsyncGenerator<Said> {
  for await (const lines of everyLine(head))
    for (const line of lines) {
      const words = comparableLine(line.text);
      if (words !== "") yield { line, words };
    }
}

function placeOf({ epoch }: { readonly epoch: number }, at: IteratorResult<Said>) {
  if (at.done) return { attempt: epoch, line: null };
  const { n, stage, level, text } = (at.value as Said).line;
  return { attempt: epoch, line: { n, stage, level, text: plainLine(text).slice(0, mostShown) } };
}

interface Head {
  readonly epoch: number;
  readonly lines: number | null;
  readonly ended: boolean;
  readonly truncated: boolean;
  readonly outline: LogOutline | null;
  readonly compacted: CompactedLog | null;
}

async function findHead(
  scope: Scope,
  buildId: string,
  attempt: number | undefined,
): Promise<Head | undefined> {
  const [head] = await database().$queryRaw<Head[]>`
    SELECT coalesce(${attempt ?? null}::int, b.lease_epoch) AS epoch, a.lines, a.log_outline AS outline,
      coalesce(a.log_truncated, false) AS truncated,
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
