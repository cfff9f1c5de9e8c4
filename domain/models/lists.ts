import {
  type ExportedModel,
  exportedModelSchema,
  idPrefixes,
  type ListedModel,
  listedModelSchema,
  type ModelFilter,
  type ModelListCounts,
  type ModelSort,
  type ModelState,
  type Scope,
} from "@/lib/common/contract";
import {
  behind,
  createdSince,
  database,
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
  toId,
} from "@/lib/server/db";
import { parseStoreUrl } from "@/lib/server/storage";
import { buildsOfEach } from "./queries";

/** Which models, and in which order. */
export interface ModelQuery extends ModelFilter {
  readonly sort?: ModelSort | undefined;
}

const id = sql`m.id`;
const name = sql`left(m.name, 100) COLLATE "C"`;

/** Each has an index of its own, with the project before it and the id behind it. */
const keys = {
  created: undefined,
  name: { value: name, type: "text" },
  size: { value: sql`coalesce(m.size_bytes, -1)`, type: "bigint" },
} as const;

const inOrder = (sort: ModelSort = "-created"): Order => orderOf(sort, { id, keys });

const found = (text: string): Sql =>
  hasTrigram(text)
    ? sql`(m.name || ' ' || m.url) ILIKE ${likePattern(text)}`
    : sql`lower(m.name) LIKE ${prefixPattern(text)}`;

/** Newest versions alone; those that were put away only where they are asked for. */
function matches(scope: Scope, { state, kind, search, since }: ModelFilter): Sql {
  return sql`m.project_id = ${scope}::uuid AND m.newest
    AND ${state && state.length > 0 ? isAnyOf(sql`m.state`, state) : sql`m.archived_at IS NULL`}
    AND ${isAnyOf(sql`m.format`, kind)}
    AND ${search ? found(search) : sql`TRUE`}
    AND ${createdSince(sql`m.created_at`, since)}`;
}

interface ListedRow {
  id: string;
  name: string;
  url: string;
  digest: string;
  sizeBytes: bigint | null;
  state: ModelState;
  newest: boolean;
  format: string | null;
  inputs: unknown;
  outputs: unknown;
  parameters: number | null;
  versions: number;
  builds: number;
  endpoints: number;
  aliases: { name: string; modelId: string }[];
  createdAt: Date;
  seenAt: Date;
}

/**
 * Models of a project that match, each by its newest version, the newest first if nothing else is asked. A page is stable: models
 * that come meanwhile neither push others out nor let them come twice.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listModels(
  scope: Scope,
  { limit, cursor, sort, ...filter }: PageQuery & ModelQuery,
): Promise<Page<ListedModel>> {
  // Keys first: inspections are wide, and only those of the page are read.
  const read = ({ order, cursor: from, take }: PagePlace) =>
    database().$queryRaw<KeysetRow[]>`
      SELECT m.id, ${keyText(order)} AS key FROM model m
      WHERE ${matches(scope, filter)} AND ${behind(order, from)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  const { items: ids, ...cursors } = await readKeysetPage(inOrder(sort), { limit, cursor }, read);
  const listed = ids.length > 0 ? await selectListed(ids) : [];
  const byId = new Map(listed.map((row) => [row.id, row]));
  return {
    items: ids.flatMap((each) => {
      const row = byId.get(each);
      return row ? [toListed(scope, row)] : [];
    }),
    ...cursors,
  };
}

/** Builds are counted model by model, which sorts none of them; endpoints of all models of the page at once, by their few revisions. */
const selectListed = (ids: readonly string[]): Promise<ListedRow[]> =>
  database().$queryRaw<ListedRow[]>`
    WITH page AS MATERIALIZED (
      SELECT id, project_id, digest, url, newest FROM model WHERE id = ANY(${[...ids]}::uuid[])
    ), serving AS (
      SELECT made.id, count(DISTINCT e.id)::int AS endpoints FROM (${buildsOfEach(sql`page`)}) made
      JOIN revision r ON r.build_id = made.build_id
      JOIN endpoint e ON e.id = r.endpoint_id AND e.deleted_at IS NULL GROUP BY made.id
    )
    SELECT m.id, m.name, m.url, m.digest, m.size_bytes AS "sizeBytes", m.state, m.newest, m.format,
      m.inspection -> 'inputs' AS inputs, m.inspection -> 'outputs' AS outputs,
      (m.inspection ->> 'parameters')::float8 AS parameters,
      (SELECT count(*)::int FROM model v WHERE v.project_id = m.project_id AND md5(v.source) = md5(m.source)) AS versions,
      coalesce((SELECT jsonb_agg(jsonb_build_object('name', l.name, 'modelId', l.model_id) ORDER BY l.name)
        FROM model_alias l WHERE l.project_id = m.project_id AND md5(l.source) = md5(m.source)), '[]') AS aliases,
      (SELECT count(*)::int FROM (${buildsOfEach(sql`(SELECT page.*)`)}) made) AS builds,
      coalesce(serving.endpoints, 0) AS endpoints, m.created_at AS "createdAt", m.seen_at AS "seenAt"
    FROM page JOIN model m ON m.id = page.id LEFT JOIN serving ON serving.id = m.id`;

const toListed = (scope: Scope, { createdAt, seenAt, sizeBytes, ...row }: ListedRow): ListedModel =>
  listedModelSchema.parse({
    ...row,
    id: toId(idPrefixes.model, row.id),
    sizeBytes: sizeBytes === null ? null : Number(sizeBytes),
    inputs: row.inputs ?? [],
    outputs: row.outputs ?? [],
    aliases: row.aliases.map(({ name, modelId }) => ({
      name,
      modelId: toId(idPrefixes.model, modelId),
    })),
    stored: parseStoreUrl(row.url, scope) !== null,
    createdAt: createdAt.toISOString(),
    seenAt: seenAt.toISOString(),
  });

/** How many models that match are in each state, whichever states are chosen; and the formats that there are. */
export async function countModels(
  scope: Scope,
  { state: _, ...filter }: ModelFilter,
): Promise<ModelListCounts> {
  const db = database();
  const any: ModelState[] = ["readable", "unread", "unreadable", "archived"];
  const [states, kinds] = await Promise.all([
    db.$queryRaw<{ state: ModelState; count: number }[]>`
      SELECT m.state, count(*)::int AS count FROM model m
      WHERE ${matches(scope, { ...filter, state: any })} GROUP BY m.state`,
    db.$queryRaw<{ format: string }[]>`
      SELECT DISTINCT m.format FROM model m
      WHERE ${matches(scope, { state: any })} AND m.format IS NOT NULL ORDER BY 1`,
  ]);
  return { states, engines: [], boards: [], kinds: kinds.map(({ format }) => format) };
}

type ExportRow = KeysetRow &
  Pick<ListedRow, "name" | "url" | "state" | "format" | "sizeBytes" | "parameters" | "digest"> & {
    createdAt: Date;
  };

/** Every model that matches, in order, some at a time. */
export async function* exportModels(
  scope: Scope,
  { sort, ...filter }: ModelQuery,
): AsyncGenerator<readonly ExportedModel[]> {
  const order = inOrder(sort);
  const read = (cursor: string | undefined, take: number) =>
    database().$queryRaw<ExportRow[]>`
      SELECT m.id, ${keyText(order)} AS key, m.name, m.url, m.state, m.format, m.size_bytes AS "sizeBytes",
        (m.inspection ->> 'parameters')::float8 AS parameters, m.digest, m.created_at AS "createdAt"
      FROM model m WHERE ${matches(scope, filter)} AND ${behind(order, cursor)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  for await (const rows of readInSteps(order, read)) yield rows.map(toExported);
}

const toExported = ({ createdAt, sizeBytes, ...row }: ExportRow): ExportedModel =>
  exportedModelSchema.parse({
    ...row,
    id: toId(idPrefixes.model, row.id),
    sizeBytes: sizeBytes === null ? null : Number(sizeBytes),
    createdAt: createdAt.toISOString(),
  });
