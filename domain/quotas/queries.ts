import {
  idPrefixes,
  type ProjectQuotas,
  type QuotaFilter,
  type Scope,
} from "@/lib/common/contract";
import {
  behind,
  database,
  type KeysetRow,
  keyText,
  likePattern,
  type Order,
  orderBy,
  orderOf,
  type Page,
  type PagePlace,
  type PageQuery,
  readKeysetRows,
  sql,
  toId,
} from "@/lib/server/db";
import { type LimitsRow, limitColumns, toLimits } from "./limits";
import { used } from "./used";

const { countedBuilds, heldBoards, leasedBoards, queuedBuilds, runningBuilds, storedBytes } = used;

interface Row extends LimitsRow, KeysetRow {
  readonly name: string;
  readonly running: number;
  readonly queued: number;
  readonly minutes: number;
  readonly held: number;
  readonly stored: bigint;
  readonly requests: number;
}

const order: Order = orderOf("name", {
  id: sql`p.id`,
  keys: { name: { value: sql`p.name`, type: "text" } },
});

const project = sql`p.id`;

/**
 * The limits of a project and what it takes of them.
 *
 * @param scope Null: of every project, by name.
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listQuotas(
  scope: Scope | null,
  { limit, cursor, ...filter }: PageQuery & QuotaFilter,
): Promise<Page<ProjectQuotas>> {
  const { items, ...cursors } = await readKeysetRows(order, { limit, cursor }, (place) =>
    readRows(scope, filter, place),
  );
  return { items: items.map(toQuotas), ...cursors };
}

/** What projects take is counted for those of the page alone. */
async function readRows(
  scope: Scope | null,
  { search }: QuotaFilter,
  { order, cursor, take }: PagePlace,
): Promise<Row[]> {
  return await database().$queryRaw<Row[]>`
    SELECT p.id, ${keyText(order)} AS key, p.name, ${limitColumns},
      ${runningBuilds(project)} AS running, ${queuedBuilds(project)} AS queued,
      (SELECT coalesce(sum(minutes), 0)::float8 FROM (${countedBuilds(project)}) counted) AS minutes,
      ${heldBoards(project)} + ${leasedBoards(project)} AS held, ${storedBytes(project)} AS stored,
      (SELECT coalesce(sum(t.requests), 0)::float8 / 60 FROM traffic_minute t JOIN endpoint e ON e.id = t.endpoint_id
        WHERE e.project_id = p.id AND t.at = date_trunc('minute', now()) - interval '1 minute') AS requests
    FROM (
      SELECT p.id, p.name FROM project p
      WHERE ${scope === null ? sql`TRUE` : sql`p.id = ${scope}::uuid`}
        AND ${search === undefined ? sql`TRUE` : sql`p.name ILIKE ${likePattern(search)}`} AND ${behind(order, cursor)}
      ORDER BY ${orderBy(order)} LIMIT ${take}) p
    LEFT JOIN project_quota q ON q.project_id = p.id ORDER BY ${orderBy(order)}`;
}

function toQuotas({
  id,
  key: _,
  name,
  running,
  queued,
  minutes,
  held,
  stored,
  requests,
  ...limits
}: Row): ProjectQuotas {
  return {
    project: { id: toId(idPrefixes.project, id), name },
    limits: toLimits(limits),
    isUsual: limits.projectId === null,
    used: {
      runningBuilds: running,
      queuedBuilds: queued,
      buildMinutes: minutes,
      boards: held,
      storageBytes: Number(stored),
      requestsPerSecond: requests,
    },
  };
}
