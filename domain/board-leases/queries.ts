import {
  idPrefixes,
  type Lease,
  type LeaseList,
  type LeaseQuery,
  type LeaseWait,
  leaseSchema,
  leaseWaitSchema,
} from "@/lib/common/contract";
import { type ErrorData, notFound } from "@/lib/common/errors";
import { database, parseId, type Sql, sql, toId } from "@/lib/server/db";
import type { Asker } from "./locked-board";

/** Rows that one answer holds. */
const mostRows = 500;

interface LeaseRow
  extends Omit<Lease, "startsAt" | "endsAt" | "endedAt" | "acceptBy" | "firmware" | "id"> {
  id: string;
  startsAt: Date;
  endsAt: Date;
  endedAt: Date | null;
  acceptBy: Date | null;
  artifactDigest: string | null;
  slotState: string | null;
  problem: ErrorData | null;
}

const selectLeases = ({ scope, userId }: Asker): Sql => sql`
  SELECT x.id, b.id AS "boardId", b.name AS "boardName", b.board_model AS "boardModel", b.kind AS "boardKind",
    CASE WHEN x.released_at IS NOT NULL OR x.expires_at <= now() THEN 'ended' WHEN x.starts_at <= now() THEN 'active'
      ELSE 'booked' END AS state,
    x.starts_at AS "startsAt", x.expires_at AS "endsAt",
    CASE WHEN x.released_at IS NULL AND x.expires_at <= now() THEN x.expires_at ELSE x.released_at END AS "endedAt",
    x.project_id = ${scope}::uuid AS "isOurs",
    x.project_id = ${scope}::uuid AND x.user_id IS NOT DISTINCT FROM ${userId}::uuid AS "isMine",
    p.name AS person, x.purpose, x.accept_by AS "acceptBy", o.artifact_digest AS "artifactDigest", l.state AS "slotState",
    CASE WHEN l.problem ->> 'message' IS NULL THEN NULL ELSE l.problem END AS problem
  FROM lease x JOIN board b ON b.id = x.board_id LEFT JOIN "user" p ON p.id = x.user_id
  LEFT JOIN slot l ON l.board_id = b.id AND l.desired_revision_id IN (SELECT o.id FROM lease_load o WHERE o.lease_id = x.id)
  LEFT JOIN lease_load o ON o.id = l.desired_revision_id`;

/** Leases of the installation in the order of their beginnings; of other projects only the times. */
export async function listLeases(
  asker: Asker,
  { board, from, to, ours }: LeaseQuery,
): Promise<Lease[]> {
  const boardId = board === undefined ? null : parseId(idPrefixes.board, board);
  if (board !== undefined && !(boardId && (await isThere(boardId)))) throw notFound("board", board);
  const rows = await database().$queryRaw<LeaseRow[]>`
    ${selectLeases(asker)}
    WHERE ${boardId === null ? sql`TRUE` : sql`x.board_id = ${boardId}::uuid`}
      AND ${ours === "true" ? sql`x.project_id = ${asker.scope}::uuid` : sql`TRUE`}
      AND (x.released_at IS NULL OR x.released_at > x.starts_at)
      AND ${
        from === undefined
          ? sql`x.released_at IS NULL AND x.expires_at > now()`
          : sql`coalesce(x.released_at, x.expires_at) > ${from}::timestamptz`
      }
      AND ${to === undefined ? sql`TRUE` : sql`x.starts_at < ${to}::timestamptz`}
    ORDER BY x.starts_at, x.id LIMIT ${mostRows}`;
  return rows.map(toLease);
}

const isThere = async (id: string): Promise<boolean> =>
  (await database().board.count({ where: { id } })) > 0;

/** Leases of somebody that went on to who waited within the last day, since they did nothing with the board; the newest first. */
export async function listPassedOn({ scope, userId }: Asker): Promise<LeaseList["passedOn"]> {
  const rows = await database().$queryRaw<{ boardId: string; boardName: string; at: Date }[]>`
    SELECT x.board_id AS "boardId", b.name AS "boardName", x.passed_on_at AS at
    FROM lease x JOIN board b ON b.id = x.board_id
    WHERE x.project_id = ${scope}::uuid AND x.user_id IS NOT DISTINCT FROM ${userId}::uuid
      AND x.passed_on_at > now() - interval '1 day'
    ORDER BY x.passed_on_at DESC LIMIT 20`;
  return rows.map(({ boardId, boardName, at }) => ({
    boardId: toId(idPrefixes.board, boardId),
    boardName,
    at: at.toISOString(),
  }));
}

/** A lease of the project. @throws {AppError} `NOT_FOUND` */
export async function getLease(asker: Asker, id: string): Promise<Lease> {
  const uuid = parseId(idPrefixes.lease, id);
  if (!uuid) throw notFound("lease", id);
  return await readLease(asker, uuid);
}

/** The same by its row's id. */
export async function readLease(asker: Asker, uuid: string): Promise<Lease> {
  const [row] = await database().$queryRaw<LeaseRow[]>`
    ${selectLeases(asker)} WHERE x.id = ${uuid}::uuid AND x.project_id = ${asker.scope}::uuid LIMIT 1`;
  if (!row) throw notFound("lease", toId(idPrefixes.lease, uuid));
  return toLease(row);
}

function toLease({ artifactDigest, slotState, problem, ...row }: LeaseRow): Lease {
  const { isOurs } = row;
  return leaseSchema.parse({
    ...row,
    id: isOurs ? toId(idPrefixes.lease, row.id) : null,
    person: isOurs ? row.person : null,
    purpose: isOurs ? row.purpose : "",
    boardId: toId(idPrefixes.board, row.boardId),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    acceptBy: isOurs && row.state === "active" ? (row.acceptBy?.toISOString() ?? null) : null,
    firmware:
      isOurs && artifactDigest !== null && row.state === "active"
        ? {
            artifactDigest,
            state: slotState,
            problem: problem && { reason: problem.reason, message: problem.message },
          }
        : null,
  });
}

interface WaitRow extends Omit<LeaseWait, "since" | "expectedAt" | "id"> {
  id: string;
  since: Date;
  expectedAt: Date | null;
}

/**
 * Who waits, first come first: for a board and for any of its model, or all that the project can see. Nobody can tell when a board
 * comes that an endpoint has.
 */
export async function listWaits(
  { scope, userId }: Asker,
  { board }: { readonly board?: string | undefined } = {},
): Promise<LeaseWait[]> {
  const boardId = board === undefined ? null : parseId(idPrefixes.board, board);
  if (board !== undefined && !(boardId && (await isThere(boardId)))) throw notFound("board", board);
  const rows = await database().$queryRaw<WaitRow[]>`
    SELECT * FROM (
      SELECT w.id, w.board_id AS "boardId", b.name AS "boardName", w.board_model AS "boardModel", w.board_kind AS "boardKind",
        w.minutes, (row_number() OVER list)::int AS place, w.created_at AS since,
        CASE WHEN w.board_id IS NULL OR EXISTS (
            SELECT 1 FROM slot l JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL WHERE l.board_id = w.board_id)
          THEN NULL ELSE coalesce((SELECT x.expires_at FROM lease x
            WHERE x.board_id = w.board_id AND x.released_at IS NULL AND x.starts_at <= now() AND x.expires_at > now()), now())
          + make_interval(mins => (sum(w.minutes) OVER list - w.minutes)::int) END AS "expectedAt",
        w.project_id = ${scope}::uuid AS "isOurs",
        w.project_id = ${scope}::uuid AND w.user_id IS NOT DISTINCT FROM ${userId}::uuid AS "isMine", p.name AS person
      FROM lease_wait w LEFT JOIN board b ON b.id = w.board_id LEFT JOIN "user" p ON p.id = w.user_id
      WHERE w.ended_at IS NULL
      WINDOW list AS (PARTITION BY w.board_id, w.board_model, w.board_kind ORDER BY w.created_at, w.id)) each
    WHERE ${
      boardId === null
        ? sql`TRUE`
        : sql`(each."boardId" = ${boardId}::uuid OR (each."boardId" IS NULL AND EXISTS (
            SELECT 1 FROM board o WHERE o.id = ${boardId}::uuid AND o.board_model = each."boardModel" AND o.kind = each."boardKind")))`
    }
    ORDER BY each."boardName" NULLS LAST, each."boardModel", each.place LIMIT ${mostRows}`;
  return rows.map(toWait);
}

function toWait({ id, since, expectedAt, ...row }: WaitRow): LeaseWait {
  return leaseWaitSchema.parse({
    ...row,
    id: row.isOurs ? toId(idPrefixes.leaseWait, id) : null,
    boardId: row.boardId && toId(idPrefixes.board, row.boardId),
    person: row.isOurs ? row.person : null,
    since: since.toISOString(),
    expectedAt: expectedAt?.toISOString() ?? null,
  });
}
