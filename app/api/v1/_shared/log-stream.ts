import { getBuild, readLog } from "@/domain/builds";
import type { Scope } from "@/lib/common/contract";
import { encodeEvent, type Reader } from "./event-stream";
import { LogPiece, LogPieces } from "./log-pieces";
import { readTogether } from "./read-together";

/** Where a reader is: the attempt, and the last line it has. */
export interface LogCursor {
  readonly attempt: number;
  readonly n: number;
}

/** Parses `<attempt>:<n>`, or null. */
export function parseLogCursor(text: string): LogCursor | null {
  const [, attempt, n] = text.match(/^(\d{1,6}):(\d{1,9})$/) ?? [];
  return attempt === undefined || n === undefined
    ? null
    : { attempt: Number(attempt), n: Number(n) };
}

/** Lines of a log that are read and encoded at once, once for all who follow it. */
const pieceLines = 500;
const whole = new LogPieces(32 * 2 ** 20);

/**
 * Sends the lines after a cursor, all there are now, as fast as they are read. Answers the new cursor, and whether the attempt
 * can have no more.
 */
export async function sendLines(
  scope: Scope,
  id: string,
  { attempt, n: after }: LogCursor,
  { sendBytes, signal }: Reader,
): Promise<LogCursor & { readonly final: boolean }> {
  for (let n = after; ; ) {
    const from = Math.floor(n / pieceLines) * pieceLines + 1;
    const { piece, final } = await pieceAt(scope, id, attempt, from);
    if (piece.last > n) {
      await sendBytes(piece.after(n));
      n = piece.last;
    }
    if (signal.aborted || piece.last < from + pieceLines - 1) return { attempt, n, final };
  }
}

/** Lines from one on, as events. Those of a whole piece never change, and are kept while they are asked for. */
async function pieceAt(scope: Scope, id: string, attempt: number, from: number) {
  const key = `log ${scope} ${id} ${attempt} ${from}`;
  const kept = whole.get(key);
  if (kept) return { piece: kept, final: false };
  return await readTogether(key, async () => {
    const page = await readLog(scope, id, { attempt, from, limit: pieceLines });
    const events = page.lines.map((line) =>
      encodeEvent({ event: "log", id: `${attempt}:${line.n}`, data: line }),
    );
    const piece = new LogPiece(from, events);
    if (events.length === pieceLines) whole.keep(key, piece);
    return { piece, final: page.final };
  });
}

/** How many lines an attempt has by now. */
export function countLines(scope: Scope, id: string, attempt: number): Promise<number> {
  return readTogether(`lines ${scope} ${id} ${attempt}`, async () => {
    const { total } = await readLog(scope, id, { attempt, from: 1, limit: 0 });
    return total;
  });
}

/** The build, read once for all who follow it. */
export const followedBuild = (scope: Scope, id: string) =>
  readTogether(`build ${scope} ${id}`, () => getBuild(scope, id));

/** The attempt that follows an ended one: null while none has begun, `ended` if none will. */
export async function nextAttempt(
  scope: Scope,
  id: string,
  after: number,
): Promise<LogCursor | "ended" | null> {
  const build = await followedBuild(scope, id);
  if (build.attempt > after) return { attempt: after + 1, n: 0 };
  return build.endedAt === null ? null : "ended";
}
