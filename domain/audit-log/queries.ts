import {
  type AuditEntry,
  type AuditFilter,
  auditEntrySchema,
  type ExportedAuditEntry,
  exportedAuditEntrySchema,
  idPrefixes,
  type Scope,
} from "@/lib/common/contract";
import {
  behind,
  createdSince,
  database,
  isAnyOf,
  type KeysetRow,
  keyText,
  likePattern,
  type Order,
  orderBy,
  orderOf,
  type Page,
  type PagePlace,
  type PageQuery,
  parseId,
  readInSteps,
  readKeysetRows,
  type Sql,
  sql,
  toId,
} from "@/lib/server/db";

/** Newest first. */
const order: Order = orderOf("-created", { id: sql`a.id`, keys: { created: undefined } });

const shown = sql`a.id, a.at, a.actor_kind AS "actorKind", a.actor_id AS "actorId", a.actor_name AS "actorName", a.action,
  a.target_noun AS "targetNoun", a.target_id AS "targetId", a.target_name AS "targetName", a.project_id AS "projectId",
  a.project_name AS "projectName", a.result, a.reason, a.times, a.request_id AS "requestId", a.address`;

interface Row extends KeysetRow {
  readonly at: Date;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly action: string;
  readonly targetNoun: string | null;
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly result: string;
  readonly reason: string | null;
  readonly times: number;
  readonly requestId: string | null;
  readonly address: string | null;
}

/**
 * Entries of the audit log that match, newest first.
 *
 * @param scope Null: of every project, and of the installation.
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listAuditLog(
  scope: Scope | null,
  { limit, cursor, ...filter }: PageQuery & AuditFilter,
): Promise<Page<AuditEntry>> {
  const { items, ...cursors } = await readKeysetRows(order, { limit, cursor }, (place) =>
    readRows(scope, filter, place),
  );
  return { items: items.map(toEntry), ...cursors };
}

/** Every entry that matches, newest first, some at a time. @param scope Null: of every project, and of the installation. */
export async function* exportAuditLog(
  scope: Scope | null,
  filter: AuditFilter,
): AsyncGenerator<readonly ExportedAuditEntry[]> {
  const read = (cursor: string | undefined, take: number) =>
    readRows(scope, filter, { order, cursor, take });
  for await (const rows of readInSteps(order, read)) yield rows.map(toExported);
}

const readRows = (
  scope: Scope | null,
  filter: AuditFilter,
  { order: way, cursor, take }: PagePlace,
): Promise<Row[]> =>
  database().$queryRaw<Row[]>`
    SELECT ${shown}, ${keyText(way)} AS key FROM audit_entry a
    WHERE ${scope === null ? sql`TRUE` : sql`a.project_id = ${scope}::uuid`}
      AND ${matches(filter)} AND ${behind(way, cursor)}
    ORDER BY ${orderBy(way)} LIMIT ${take}`;

// Each has an index that finds text within it.
const actorText = sql`(a.actor_kind || ' ' || coalesce(a.actor_name, ''))`;
const targetText = sql`(coalesce(a.target_noun, '') || ' ' || coalesce(a.target_id, '') || ' ' || coalesce(a.target_name, ''))`;

function matches({ actor, action, target, project, result, from, to }: AuditFilter): Sql {
  return sql`${actor ? byActor(actor) : sql`TRUE`}
    AND ${action ? sql`(a.action = ${action} OR starts_with(a.action, ${`${action}.`}))` : sql`TRUE`}
    AND ${target ? sql`${targetText} ILIKE ${likePattern(target)}` : sql`TRUE`}
    AND ${project ? inProject(project) : sql`TRUE`}
    AND ${isAnyOf(sql`a.result`, result)} AND ${createdSince(sql`a.at`, from)}
    AND ${to === undefined ? sql`TRUE` : sql`a.at < ${to}::timestamptz`}`;
}

function inProject(text: string): Sql {
  if (text === "-") return sql`a.project_id IS NULL`;
  const id = parseId(idPrefixes.project, text);
  return id !== null ? sql`a.project_id = ${id}::uuid` : sql`a.project_name = ${text}`;
}

function byActor(text: string): Sql {
  const id = parseId(idPrefixes.user, text) ?? parseId(idPrefixes.token, text);
  if (id !== null) return sql`a.actor_id = ${id}::uuid`;
  return sql`${actorText} ILIKE ${likePattern(text)}`;
}

const actorIdOf = ({ actorKind, actorId }: Row): string | null =>
  actorId === null
    ? null
    : toId(actorKind === "token" ? idPrefixes.token : idPrefixes.user, actorId);

const toEntry = (row: Row): AuditEntry =>
  auditEntrySchema.parse({
    ...row,
    id: toId(idPrefixes.auditEntry, row.id),
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: actorIdOf(row), name: row.actorName },
    target:
      row.targetNoun === null
        ? null
        : { noun: row.targetNoun, id: row.targetId, name: row.targetName },
    project:
      row.projectId === null
        ? null
        : { id: toId(idPrefixes.project, row.projectId), name: row.projectName },
  });

const toExported = (row: Row): ExportedAuditEntry =>
  exportedAuditEntrySchema.parse({
    ...row,
    id: toId(idPrefixes.auditEntry, row.id),
    at: row.at.toISOString(),
    actorId: actorIdOf(row),
    project: row.projectName,
  });
