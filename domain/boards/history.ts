import {
  type BoardAvailability,
  type BoardHistoryItem,
  type BoardHistoryKind,
  type BoardState,
  boardAvailabilitySchema,
  boardHistoryItemSchema,
  idPrefixes,
  type Scope,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import {
  database,
  foreignCursor,
  type Page,
  type PageQuery,
  parseId,
  parsePage,
  sql,
  toPage,
} from "@/lib/server/db";

/** What of a board's history is asked for. */
export type HistoryPart = "all" | "loads" | "tests" | "states";

const kindsOf = {
  loads: ["loaded", "failed", "emptied", "lost", "back", "reloaded"],
  tests: ["loaded", "failed", "tested", "blinked"],
  states: ["state", "drained", "resumed", "leased", "handed-back"],
} as const satisfies Record<Exclude<HistoryPart, "all">, readonly BoardHistoryKind[]>;

interface HistoryRow {
  id: bigint;
  slotIndex: number | null;
  kind: string;
  detail: Readonly<Record<string, unknown>>;
  createdAt: Date;
}

/**
 * What happened to a board, newest first; endpoints of other projects are not named.
 *
 * @throws {AppError} `NOT_FOUND`, `CURSOR_INVALID`
 */
export async function listHistory(
  scope: Scope,
  id: string,
  { part = "all", ...page }: PageQuery & { readonly part?: HistoryPart | undefined },
): Promise<Page<BoardHistoryItem>> {
  const { id: boardId } = await findBoard(id);
  const { after, take } = parsePage(page);
  if (after !== null && !/^\d{1,18}$/.test(after)) throw foreignCursor();
  const kinds = part === "all" ? null : [...kindsOf[part]];
  const rows = await database().$queryRaw<HistoryRow[]>`
    SELECT id, slot_index AS "slotIndex", kind, detail, created_at AS "createdAt" FROM board_history
    WHERE board_id = ${boardId}::uuid
      AND ${after === null ? sql`TRUE` : sql`id < ${after}::bigint`}
      AND ${kinds === null ? sql`TRUE` : sql`kind = ANY(${kinds}::text[])`}
    ORDER BY id DESC LIMIT ${take}`;
  return toPage(rows, take, {
    keyOf: (row) => String(row.id),
    show: (row) => toItem(scope, row),
  });
}

function toItem(scope: Scope, { id, slotIndex, kind, detail, createdAt }: HistoryRow) {
  const { projectId, endpoint, revision, person, ...rest } = detail;
  const named = projectId === undefined || projectId === scope;
  return boardHistoryItemSchema.parse({
    ...rest,
    ...(named && endpoint !== undefined ? { endpoint, revision } : {}),
    ...(named && person !== undefined ? { person } : {}),
    id: String(id),
    at: createdAt.toISOString(),
    kind,
    place: slotIndex,
  });
}

interface BoardTimes {
  id: string;
  state: BoardState;
  watchedAt: Date;
  removedAt: Date | null;
  /** By the database's clock. */
  now: Date;
}

async function findBoard(id: string): Promise<BoardTimes> {
  const uuid = parseId(idPrefixes.board, id);
  const [row] = uuid
    ? await database().$queryRaw<BoardTimes[]>`
        SELECT id, state, watched_at AS "watchedAt", removed_at AS "removedAt", now() AS now
        FROM board WHERE id = ${uuid}::uuid`
    : [];
  if (!row) throw notFound("board", id);
  return row;
}

const rangeMs = { "24h": 24 * 3600 * 1000, "30d": 30 * 24 * 3600 * 1000 } as const;

/**
 * In which states a board was over a time, and how its loads and tests went.
 *
 * @throws {AppError} `NOT_FOUND`
 */
export async function getAvailability(
  id: string,
  range: BoardAvailability["range"],
): Promise<BoardAvailability> {
  const board = await findBoard(id);
  const { now } = board;
  const to = board.removedAt && board.removedAt < now ? board.removedAt : now;
  const from = new Date(now.getTime() - rangeMs[range]);
  const [changes, [counts]] = await Promise.all([
    database().$queryRaw<{ from: BoardState; to: BoardState; at: Date }[]>`
      SELECT detail ->> 'from' AS from, detail ->> 'to' AS to, created_at AS at FROM board_history
      WHERE board_id = ${board.id}::uuid AND kind = 'state' AND created_at >= ${from}
      ORDER BY created_at, id`,
    database().$queryRaw<{ loaded: number; failed: number; passed: number; unpassed: number }[]>`
      SELECT count(*) FILTER (WHERE kind = 'loaded')::int AS loaded, count(*) FILTER (WHERE kind = 'failed')::int AS failed,
        count(*) FILTER (WHERE kind = 'tested' AND NOT detail ? 'problem')::int AS passed,
        count(*) FILTER (WHERE kind = 'tested' AND detail ? 'problem')::int AS unpassed
      FROM board_history WHERE board_id = ${board.id}::uuid AND kind IN ('loaded', 'failed', 'tested')
        AND created_at >= ${from}`,
  ]);
  const spans = spansOf({ ...board, changes, from, to });
  const noted = spans.filter(({ state }) => state !== null);
  const total = lengthOf(noted);
  return boardAvailabilitySchema.parse({
    range,
    from: from.toISOString(),
    to: to.toISOString(),
    spans: spans.map((span) => ({
      state: span.state,
      from: new Date(span.from).toISOString(),
      to: new Date(span.to).toISOString(),
    })),
    heardShare:
      total === 0 ? null : lengthOf(noted.filter(({ state }) => state !== "offline")) / total,
    loads: { succeeded: counts?.loaded ?? 0, failed: counts?.failed ?? 0 },
    tests: { passed: counts?.passed ?? 0, failed: counts?.unpassed ?? 0 },
  });
}

interface Span {
  readonly state: BoardState | null;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** One span after the other from the beginning to the end; none is empty. */
export function spansOf({
  state,
  watchedAt,
  changes,
  from,
  to,
}: {
  /** As it is noted now. */
  readonly state: BoardState;
  readonly watchedAt: Date;
  /** Of the time that is asked for, in order. */
  readonly changes: readonly {
    readonly from: BoardState;
    readonly to: BoardState;
    readonly at: Date;
  }[];
  readonly from: Date;
  readonly to: Date;
}): Span[] {
  const end = to.getTime();
  const begin = Math.min(end, Math.max(from.getTime(), watchedAt.getTime()));
  const spans: Span[] = [{ state: null, from: from.getTime(), to: begin }];
  let at = begin;
  let now = changes[0]?.from ?? state;
  for (const change of changes) {
    const next = Math.min(end, Math.max(at, change.at.getTime()));
    spans.push({ state: now, from: at, to: next });
    at = next;
    now = change.to;
  }
  spans.push({ state: now, from: at, to: end });
  return spans.filter((span) => span.to > span.from);
}
