import {
  type Endpoint,
  type EndpointFilter,
  type EndpointListCounts,
  type EndpointSort,
  type EndpointState,
  type ExportedEndpoint,
  exportedEndpointSchema,
  type Scope,
} from "@/lib/common/contract";
import {
  behind,
  createdSince,
  database,
  distinctValues,
  emptySql,
  hasTrigram,
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
  prefixPattern,
  readInSteps,
  readKeysetPage,
  type Sql,
  sql,
} from "@/lib/server/db";
import { endpointPath } from "./paths";
import { selectEndpoints, shownRevision } from "./queries";

/** Which endpoints, and in which order. */
export interface EndpointQuery extends EndpointFilter {
  readonly sort?: EndpointSort | undefined;
}

const id = sql`e.id`;

const keys = {
  created: undefined,
  state: { value: sql`e.state`, type: "text" },
  name: { value: sql`e.name`, type: "text" },
} as const;

const inOrder = (sort: EndpointSort = "name"): Order => orderOf(sort, { id, keys });

/** Endpoints one of whose revisions is so: few, found by an index, before the shown one of each is looked up. */
export const hadOnce = (scope: Scope, condition: Sql): Sql =>
  sql`e.id IN (SELECT c.endpoint_id FROM revision c WHERE c.project_id = ${scope}::uuid AND ${condition})`;

function found(scope: Scope, text: string): Sql {
  if (!hasTrigram(text)) return sql`e.name LIKE ${prefixPattern(text)}`;
  const pattern = likePattern(text);
  return sql`(e.name ILIKE ${pattern} OR ${hadOnce(scope, sql`c.model_url ILIKE ${pattern}`)})
    AND (e.name ILIKE ${pattern} OR r.model_url ILIKE ${pattern})`;
}

/** Endpoints that match; the revision that each shows is looked up only where the filter speaks of it. */
function matching(scope: Scope, filter: EndpointFilter): Sql {
  const { state, engine = [], board = [], search = "", since } = filter;
  const speaksOfRevision = engine.length > 0 || board.length > 0 || hasTrigram(search);
  const ofRevision = (column: "engine" | "board_model", values: readonly string[]) =>
    values.length === 0
      ? sql`TRUE`
      : sql`${isAnyOf(revisionColumns[column].shown, values)}
          AND ${hadOnce(scope, isAnyOf(revisionColumns[column].any, values))}`;
  return sql`endpoint e ${speaksOfRevision ? shownRevision : emptySql}
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL
    AND ${isAnyOf(sql`e.state`, state)}
    AND ${ofRevision("engine", engine)} AND ${ofRevision("board_model", board)}
    AND ${search === "" ? sql`TRUE` : found(scope, search)}
    AND ${createdSince(sql`e.created_at`, since)}`;
}

const revisionColumns = {
  engine: { shown: sql`r.engine`, any: sql`c.engine` },
  board_model: { shown: sql`r.board_model`, any: sql`c.board_model` },
} as const;

/**
 * Endpoints of a project that match, by name if nothing else is asked. A page is stable: endpoints that come meanwhile neither push
 * others out nor let them come twice.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listEndpoints(
  scope: Scope,
  { limit, cursor, sort, ...filter }: PageQuery & EndpointQuery,
): Promise<Page<Endpoint>> {
  // Keys first: manifests and reports are wide, and only those of the page are read.
  const read = ({ order, cursor: from, take }: PagePlace) =>
    database().$queryRaw<KeysetRow[]>`
      SELECT e.id, ${keyText(order)} AS key FROM ${matching(scope, filter)} AND ${behind(order, from)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  const { items: ids, ...cursors } = await readKeysetPage(inOrder(sort), { limit, cursor }, read);
  const byId = await selectEndpoints(scope, ids);
  return { items: ids.flatMap((each) => byId.get(each) ?? []), ...cursors };
}

/** How many endpoints that match are in each state, whichever states are chosen. */
export async function countEndpoints(
  scope: Scope,
  { state: _, ...filter }: EndpointFilter,
): Promise<EndpointListCounts> {
  const [states, engines, boards] = await Promise.all([
    database().$queryRaw<{ state: EndpointState; count: number }[]>`
      SELECT e.state, count(*)::int AS count FROM ${matching(scope, filter)} GROUP BY e.state`,
    distinctValues("revision", "engine", scope),
    distinctValues("revision", "board_model", scope),
  ]);
  return { states, engines, boards };
}

interface ExportRow extends KeysetRow {
  createdAt: Date;
  readyAt: Date | null;
  name: string;
}

/** Every endpoint that matches, in order, some at a time. */
export async function* exportEndpoints(
  scope: Scope,
  { sort, ...filter }: EndpointQuery,
): AsyncGenerator<readonly ExportedEndpoint[]> {
  const order = inOrder(sort);
  const read = (cursor: string | undefined, take: number) =>
    database().$queryRaw<ExportRow[]>`
      WITH page AS MATERIALIZED (
        SELECT e.id, ${keyText(order)} AS key FROM ${matching(scope, filter)} AND ${behind(order, cursor)}
        ORDER BY ${orderBy(order)} LIMIT ${take})
      SELECT e.id, page.key, e.name, e.state, e.reason, r.engine, r.board_model AS "boardModel",
        r.board_kind AS "boardKind", r.model_url AS "modelUrl", r.ordinal AS revision,
        r.artifact_digest AS "artifactDigest", e.created_at AS "createdAt", e.ready_at AS "readyAt"
      FROM page JOIN endpoint e ON e.id = page.id ${shownRevision} ORDER BY ${orderBy(order)}`;
  for await (const rows of readInSteps(order, read)) yield rows.map(toExported);
}

const toExported = ({ createdAt, readyAt, ...row }: ExportRow): ExportedEndpoint =>
  exportedEndpointSchema.parse({
    ...row,
    url: endpointPath(row.name),
    createdAt: createdAt.toISOString(),
    readyAt: readyAt?.toISOString() ?? null,
  });
