import { getBuild, readLog } from "@/domain/builds";
import type { LogLine, Scope } from "@/lib/common/contract";

/** Where a reader is: the attempt, and the last line it has. */
export interface LogCursor {
  readonly attempt: number;
  readonly n: number;
}

const pageLines = 1000;

/** Parses `<attempt>:<n>`, or null. */
export function parseLogCursor(text: string): LogCursor | null {
  const [, attempt, n] = text.match(/^(\d{1,6}):(\d{1,9})$/) ?? [];
  return attempt === undefined || n === undefined
    ? null
    : { attempt: Number(attempt), n: Number(n) };
}

/** Sends the lines after a cursor, all there are now. Answers the new cursor, and whether the attempt can have no more. */
export async function sendLines(
  scope: Scope,
  id: string,
  from: LogCursor,
  send: (line: LogLine, attempt: number) => void,
): Promise<LogCursor & { readonly final: boolean }> {
  let { n } = from;
  for (;;) {
    const page = await readLog(scope, id, {
      attempt: from.attempt,
      from: n + 1,
      limit: pageLines,
    });
    for (const line of page.lines) send(line, from.attempt);
    n = page.lines.at(-1)?.n ?? n;
    if (n >= page.total || page.lines.length === 0)
      return { attempt: from.attempt, n, final: page.final };
  }
}

/** The attempt that follows an ended one: null while none has begun, `ended` if none will. */
export async function nextAttempt(
  scope: Scope,
  id: string,
  after: number,
): Promise<LogCursor | "ended" | null> {
  const build = await getBuild(scope, id);
  if (build.attempt > after) return { attempt: after + 1, n: 0 };
  return build.endedAt === null ? null : "ended";
}
