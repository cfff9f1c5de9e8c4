import { buildsOf, modelUuid } from "@/domain/models";
import { type ModelNamed, withModelNames } from "@/domain/uploads";
import {
  type Build,
  type BuildFilter,
  type BuildListCounts,
  type BuildSort,
  type BuildState,
  type ExportedBuild,
  exportedBuildSchema,
  idPrefixes,
  type Scope,
} from "@/lib/common/contract";
import type { ErrorData } from "@/lib/common/errors";
import {
  behind,
  createdSince,
  database,
  distinctValues,
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
import { priorityOf } from "./priority";
import { selectListed } from "./queries";

/** Which builds, and in which order. */
export interface BuildQuery extends BuildFilter {
  readonly sort?: BuildSort | undefined;
}

const id = sql`b.id`;

/** By bytes, so that an index finds beginnings too; names have no letters that another order would put elsewhere. */
const name = sql`left(coalesce(b.endpoint_name, b.model_url), 100) COLLATE "C"`;

/** Each has an index of its own, with the project before it and the id behind it. */
const keys = {
  created: undefined,
  state: { value: sql`b.state`, type: "text" },
  name: { value: name, type: "text" },
  duration: {
    value: sql`coalesce((extract(epoch FROM b.ended_at - b.started_at) * 1000)::bigint, -1)`,
    type: "bigint",
  },
} as const;

const inOrder = (sort: BuildSort = "-created"): Order => orderOf(sort, { id, keys });

const found = (text: string): Sql =>
  hasTrigram(text)
    ? sql`(coalesce(b.endpoint_name, '') || ' ' || b.model_url) ILIKE ${likePattern(text)}`
    : sql`${name} LIKE ${prefixPattern(text)}`;

function matches(scope: Scope, { state, label, engine, board, search, since }: BuildFilter): Sql {
  return sql`b.project_id = ${scope}::uuid
    AND ${isAnyOf(sql`b.state`, state)}
    AND ${label?.length ? sql`b.labels && ${[...label]}::text[]` : sql`TRUE`}
    AND ${isAnyOf(sql`b.engine`, engine)}
    AND ${isAnyOf(sql`b.board_model`, board)}
    AND ${search ? found(search) : sql`TRUE`}
    AND ${createdSince(sql`b.created_at`, since)}`;
}

/**
 * Builds of a project that match, newest first if nothing else is asked; of their reports what a list can show. A page is stable:
 * builds that are asked for meanwhile neither push others out nor let them come twice.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listBuilds(
  scope: Scope,
  { limit, cursor, sort, ...filter }: PageQuery & BuildQuery,
): Promise<Page<Build>> {
  const isFewByName = (order: Order) => order.key?.value === name && isFilter(filter);
  // Keys first: reports are wide, and only those of the page are read.
  const read = async (place: PagePlace) =>
    (isFewByName(place.order)
      ? ((await readNear(scope, filter, place)) ?? (await sortFewByName(scope, filter, place)))
      : null) ?? (await readInOrder(scope, filter, place));
  const { items: ids, ...cursors } = await readKeysetPage(inOrder(sort), { limit, cursor }, read);
  const builds =
    ids.length > 0 ? await selectListed(scope, sql`AND b.id = ANY(${ids}::uuid[])`) : [];
  const byId = new Map(builds.map((build) => [build.id, build]));
  return { items: ids.flatMap((each) => byId.get(toId(idPrefixes.build, each)) ?? []), ...cursors };
}

/** Goes along the order's index and leaves out what does not match: quick unless what matches lies together far behind. */
const readInOrder = (scope: Scope, filter: BuildFilter, { order, cursor, take }: PagePlace) =>
  database().$queryRaw<KeysetRow[]>`
    SELECT b.id, ${keyText(order)} AS key FROM build b
    WHERE ${matches(scope, filter)} AND ${behind(order, cursor)}
    ORDER BY ${orderBy(order)} LIMIT ${take}`;

/** As many are looked at in a few milliseconds. */
const nearBuilds = 2000;

/** A page full of what matches among the next builds by name, as where every other matches; null where those hold fewer. */
async function readNear(
  scope: Scope,
  filter: BuildFilter,
  { order, cursor, take }: PagePlace,
): Promise<KeysetRow[] | null> {
  const rows = await database().$queryRaw<KeysetRow[]>`
    SELECT b.id, ${keyText(order)} AS key FROM (
      SELECT b.* FROM build b WHERE b.project_id = ${scope}::uuid AND ${behind(order, cursor)}
      ORDER BY ${orderBy(order)} LIMIT ${nearBuilds}) b
    WHERE ${matches(scope, filter)} ORDER BY ${orderBy(order)} LIMIT ${take}`;
  return rows.length === take ? rows : null;
}

/** As many are read and sorted in some 30 ms, wherever they lie. Of more, an index in the order soon meets a page full. */
const fewBuilds = 25_000;

/**
 * Finds what matches by the filter's index, and sorts it. Postgres would rather go along the order's index, in the belief that
 * filter and order have nothing to do with each other; but builds of a name lie together by name. Null where too many match.
 */
async function sortFewByName(
  scope: Scope,
  filter: BuildFilter,
  { order, cursor, take }: PagePlace,
): Promise<KeysetRow[] | null> {
  const key = { value: sql`few.key COLLATE "C"`, type: "text" } as const;
  const within = { ...order, id: sql`few.id`, key };
  const way = order.descending ? sql`DESC` : sql`ASC`;
  const rows = await database().$queryRaw<(Partial<KeysetRow> & { count: number })[]>`
    WITH few AS MATERIALIZED (
      SELECT b.id, ${name} AS key FROM build b WHERE ${matches(scope, filter)} LIMIT ${fewBuilds + 1})
    SELECT page.id, page.key, total.count FROM (SELECT count(*)::int AS count FROM few) total
    LEFT JOIN (
      SELECT few.id, ${keyText(within)} AS key
      FROM few WHERE ${behind(within, cursor)} ORDER BY ${orderBy(within)} LIMIT ${take}) page ON TRUE
    ORDER BY page.key COLLATE "C" ${way}, page.id ${way}`;
  if ((rows[0]?.count ?? 0) > fewBuilds) return null;
  return rows.flatMap(({ id: found, key: at = null }) => (found ? [{ id: found, key: at }] : []));
}

const isFilter = (filter: BuildFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value.length > 0);

/** How many builds that match are in each state, whichever states are chosen. */
export async function countBuilds(
  scope: Scope,
  { state: _, ...filter }: BuildFilter,
): Promise<BuildListCounts> {
  const db = database();
  const [states, engines, boards, labels] = await Promise.all([
    db.$queryRaw<{ state: BuildState; count: number }[]>`
      SELECT b.state, count(*)::int AS count FROM build b WHERE ${matches(scope, filter)} GROUP BY b.state`,
    distinctValues("build", "engine", scope),
    distinctValues("build", "board_model", scope),
    listLabels(scope),
  ]);
  return { states, engines, boards, labels };
}

/** More labels than anybody looks through, and builds that they are taken from. */
const [mostLabelsOffered, mostLabelled] = [200, 2000];

/** Labels that the newest builds with any have, in order. */
async function listLabels(scope: Scope): Promise<string[]> {
  const rows = await database().$queryRaw<{ label: string }[]>`
    SELECT DISTINCT unnest(n.labels) AS label FROM (
      SELECT labels FROM build WHERE project_id = ${scope}::uuid AND labels <> '{}'
      ORDER BY id DESC LIMIT ${mostLabelled}) n
    ORDER BY label LIMIT ${mostLabelsOffered}`;
  return rows.map(({ label }) => label);
}

/** More points than a plot can tell apart. */
const mostOfModel = 100;

/** Builds of one version of a model, the newest first. */
export async function listBuildsOfModel(scope: Scope, id: string): Promise<Build[]> {
  return await selectListed(
    scope,
    sql`AND EXISTS (
        SELECT 1 FROM model m
        WHERE m.id = ${modelUuid(id)}::uuid AND m.project_id = ${scope}::uuid AND ${buildsOf(sql`m`)})
      ORDER BY b.id DESC LIMIT ${mostOfModel}`,
  );
}

interface ExportRow extends KeysetRow {
  endpoint: string | null;
  state: string;
  reused: boolean;
  engine: string;
  boardModel: string;
  boardKind: string;
  rank: number;
  labels: string[];
  modelUrl: string;
  artifactDigest: string | null;
  problem: ErrorData | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** Every build that matches, in order, some at a time. */
export async function* exportBuilds(
  scope: Scope,
  { sort, ...filter }: BuildQuery,
): AsyncGenerator<readonly ExportedBuild[]> {
  const order = inOrder(sort);
  const read = (cursor: string | undefined, take: number) =>
    database().$queryRaw<ExportRow[]>`
      SELECT b.id, ${keyText(order)} AS key, b.endpoint_name AS endpoint, b.state, b.reused_from_id IS NOT NULL AS reused,
        b.engine, b.board_model AS "boardModel", b.board_kind AS "boardKind", b.priority AS rank, b.labels, b.model_url AS "modelUrl",
        b.artifact_digest AS "artifactDigest", b.problem,
        b.created_at AS "createdAt", b.started_at AS "startedAt", b.ended_at AS "endedAt"
      FROM build b WHERE ${matches(scope, filter)} AND ${behind(order, cursor)}
      ORDER BY ${orderBy(order)} LIMIT ${take}`;
  for await (const rows of readInSteps(order, read)) {
    yield (await withModelNames(scope, rows)).map(toExported);
  }
}

function toExported({
  id: uuid,
  rank,
  labels,
  problem,
  createdAt,
  startedAt,
  endedAt,
  modelName,
  ...row
}: ExportRow & ModelNamed) {
  return exportedBuildSchema.parse({
    ...row,
    modelName: modelName ?? null,
    id: toId(idPrefixes.build, uuid),
    priority: priorityOf(rank),
    labels: labels.join(", "),
    reason: problem?.reason ?? null,
    message: problem?.message ?? null,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    durationMs: startedAt && endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : null,
  });
}
