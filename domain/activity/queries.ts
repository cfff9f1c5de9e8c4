import { type ActivityItem, idPrefixes, type Scope } from "@/lib/common/contract";
import { database, toId } from "@/lib/server/db";

const mostItems = 100;
const keptDays = 30;

interface ActRow {
  id: string;
  at: Date;
  kind: ActivityItem["kind"];
  /** Name of an endpoint, UUID of a board or a model. */
  target: string;
  name: string;
  isGone: boolean;
  revision: number | null;
  /** Of a switch: the revision before. Of a board that was resumed: how it had been drained. */
  before: string | null;
  /** Nothing of the same kind was done to it later, and it is still so. */
  isInForce: boolean;
}

/**
 * What was done in the last days, newest first, with the call that takes it back while that is possible. It is read from what
 * endpoints, boards and models note of themselves: nothing is written twice.
 */
export async function listActivity(scope: Scope): Promise<{ items: ActivityItem[] }> {
  const rows = await database().$queryRaw<ActRow[]>`
    WITH of_endpoints AS (
      SELECT 'e' || l.id AS id, l.at, 'endpoint.' || l.kind AS kind, e.name AS target, e.name,
        e.deleted_at IS NOT NULL OR e.delete_requested_at IS NOT NULL AS "isGone", l.revision,
        (SELECT b.revision::text FROM endpoint_log b WHERE b.endpoint_id = l.endpoint_id AND b.kind = 'switched'
          AND b.id < l.id ORDER BY b.id DESC LIMIT 1) AS before,
        CASE l.kind WHEN 'paused' THEN e.paused WHEN 'resumed' THEN NOT e.paused ELSE true END
          AND NOT EXISTS (SELECT 1 FROM endpoint_log n WHERE n.endpoint_id = l.endpoint_id AND n.id > l.id
            AND CASE WHEN l.kind = 'switched' THEN n.kind = 'switched' ELSE n.kind IN ('paused', 'resumed') END) AS "isInForce"
      FROM endpoint_log l JOIN endpoint e ON e.id = l.endpoint_id
      WHERE e.project_id = ${scope}::uuid AND l.kind IN ('created', 'paused', 'resumed', 'switched')
        AND l.at > now() - make_interval(days => ${keptDays})
      ORDER BY l.at DESC, l.id DESC LIMIT ${mostItems}
    ), deleted AS (
      SELECT 'x' || e.id AS id, e.delete_requested_at AS at, 'endpoint.deleted' AS kind, e.name AS target, e.name,
        true AS "isGone", NULL::int AS revision, NULL::text AS before, false AS "isInForce"
      FROM endpoint e WHERE e.project_id = ${scope}::uuid AND e.delete_requested_at > now() - make_interval(days => ${keptDays})
      ORDER BY 2 DESC LIMIT ${mostItems}
    ), of_boards AS (
      SELECT 'b' || h.id AS id, h.created_at AS at, 'board.' || h.kind AS kind, b.id::text AS target, b.name,
        b.removed_at IS NOT NULL AS "isGone", NULL::int AS revision,
        (SELECT d.detail ->> 'mode' FROM board_history d WHERE d.board_id = h.board_id AND d.kind = 'drained'
          AND d.id < h.id ORDER BY d.id DESC LIMIT 1) AS before,
        (h.kind = 'drained') = (b.drain IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM board_history n
          WHERE n.board_id = h.board_id AND n.id > h.id AND n.kind IN ('drained', 'resumed')) AS "isInForce"
      FROM board_history h JOIN board b ON b.id = h.board_id
      WHERE h.kind IN ('drained', 'resumed') AND h.created_at > now() - make_interval(days => ${keptDays})
      ORDER BY h.created_at DESC LIMIT ${mostItems}
    ), of_models AS (
      SELECT 'm' || m.id AS id, m.archived_at AS at, 'model.archived' AS kind, m.id::text AS target,
        coalesce(m.name, m.url) AS name, false AS "isGone", NULL::int AS revision, NULL::text AS before, true AS "isInForce"
      FROM model m WHERE m.project_id = ${scope}::uuid AND m.newest
        AND m.archived_at > now() - make_interval(days => ${keptDays})
      ORDER BY m.archived_at DESC LIMIT ${mostItems}
    )
    SELECT * FROM (SELECT * FROM of_endpoints UNION ALL SELECT * FROM deleted
      UNION ALL SELECT * FROM of_boards UNION ALL SELECT * FROM of_models) acts
    ORDER BY at DESC, id DESC LIMIT ${mostItems}`;
  return { items: rows.map(toItem) };
}

function toItem({ id, at, kind, target, name, isGone, revision, ...row }: ActRow): ActivityItem {
  const shown = shownId(kind, target);
  return {
    id,
    at: at.toISOString(),
    kind,
    target: { id: shown, name, isGone },
    ...(kind === "endpoint.switched" && revision !== null ? { revision } : {}),
    undo: row.isInForce && !isGone ? undoOf(kind, shown, row.before) : null,
  };
}

function shownId(kind: ActivityItem["kind"], target: string): string {
  if (kind.startsWith("board.")) return toId(idPrefixes.board, target);
  return kind === "model.archived" ? toId(idPrefixes.model, target) : target;
}

function undoOf(
  kind: ActivityItem["kind"],
  id: string,
  before: string | null,
): ActivityItem["undo"] {
  switch (kind) {
    case "endpoint.paused":
      return { path: `/endpoints/${id}/resume`, body: {} };
    case "endpoint.resumed":
      return { path: `/endpoints/${id}/pause`, body: {} };
    case "endpoint.switched":
      return before === null
        ? null
        : { path: `/endpoints/${id}/rollback`, body: { revision: Number(before) } };
    case "board.drained":
      return { path: `/boards/${id}/resume`, body: {} };
    case "board.resumed":
      return before === null ? null : { path: `/boards/${id}/drain`, body: { loaded: before } };
    case "model.archived":
      return { path: `/models/${id}/archive`, body: { archived: false } };
    default:
      return null;
  }
}
