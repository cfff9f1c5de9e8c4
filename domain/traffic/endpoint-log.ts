import {
  type EndpointLogEntry,
  type EndpointLogQuery,
  idPrefixes,
  type Scope,
} from "@/lib/common/contract";
import {
  database,
  isAnyOf,
  likePattern,
  type Page,
  parsePage,
  sql,
  toId,
  toPage,
} from "@/lib/server/db";
import { findTrafficked } from "./queries";

interface LogRow extends Omit<EndpointLogEntry, "at"> {
  readonly at: Date;
}

/** What happened to an endpoint, newest first. @throws {AppError} `ENDPOINT_UNKNOWN`, `CURSOR_INVALID` */
export async function listEndpointLog(
  scope: Scope,
  name: string,
  { kind, search = "", ...query }: EndpointLogQuery,
): Promise<Page<EndpointLogEntry>> {
  const { id } = await findTrafficked(scope, name);
  const { after, take } = parsePage(query);
  const before = after !== null && /^\d{1,18}$/.test(after) ? after : null;
  const pattern = likePattern(search);
  const rows = await database().$queryRaw<LogRow[]>`
    SELECT l.id::text, l.at, l.kind, l.state, l.revision, b.id AS "boardId", b.name AS board, l.reason, l.message
    FROM endpoint_log l LEFT JOIN board b ON b.id = l.board_id
    WHERE l.endpoint_id = ${id}::uuid AND (${before}::bigint IS NULL OR l.id < ${before}::bigint)
      AND ${isAnyOf(sql`l.kind`, kind)}
      AND (${search === ""} OR concat_ws(' ', l.kind, l.state, l.reason, l.message, b.name) ILIKE ${pattern})
    ORDER BY l.id DESC LIMIT ${take}`;
  return toPage(rows, take, { keyOf: (row) => row.id, show: toEntry });
}

const toEntry = ({ at, boardId, ...row }: LogRow): EndpointLogEntry => ({
  ...row,
  at: at.toISOString(),
  boardId: boardId && toId(idPrefixes.board, boardId),
});
