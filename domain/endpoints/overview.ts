import { boardKinds, type EndpointOverview, type Scope } from "@/lib/common/contract";
import { database, prefixPattern, type Sql, sql } from "@/lib/server/db";
import { buckets } from "@/lib/server/storage";
import { hadOnce } from "./lists";
import { selectEndpoints, shownRevision } from "./queries";

const mostShown = 6;
const mostInTrouble = 20;
const mostOfSamples = 50;
const mostNames = 200;

const inTrouble = sql`e.state IN ('failed', 'degraded')`;
const ofSample = (url: Sql) => sql`${url} LIKE ${prefixPattern(`s3://${buckets.samples}/`)}`;

/** What the first page shows of the endpoints, however many there are: each part reads few rows more than it answers. */
export async function getEndpointOverview(scope: Scope): Promise<EndpointOverview> {
  const [shown, trouble, samples, own, ready, [counts]] = await Promise.all([
    readFirst(scope),
    readIds(scope, { where: inTrouble, most: mostInTrouble }),
    readIds(scope, {
      where: sql`${hadOnce(scope, ofSample(sql`c.model_url`))} AND ${ofSample(sql`r.model_url`)}`,
      most: mostOfSamples,
    }),
    readIds(scope, { where: sql`NOT ${ofSample(sql`r.model_url`)}`, most: 1 }),
    readIds(scope, { where: sql`e.state = 'ready'`, most: 1 }),
    database().$queryRaw<{ count: number; inTrouble: number }[]>`
      SELECT count(*)::int AS count, (count(*) FILTER (WHERE ${inTrouble}))::int AS "inTrouble"
      FROM endpoint e WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL`,
  ]);
  const byId = await selectEndpoints(scope, [
    ...new Set([...shown, ...trouble, ...samples, ...own, ...ready]),
  ]);
  const read = (ids: readonly string[]) => ids.flatMap((each) => byId.get(each) ?? []);
  return {
    count: counts?.count ?? 0,
    first: read(shown),
    inTrouble: counts?.inTrouble ?? 0,
    trouble: read(trouble),
    guide: read([...new Set([...samples, ...own, ...ready])]),
  };
}

/** Hardware first, and among alike those that are in trouble first, each by name. */
async function readFirst(scope: Scope): Promise<string[]> {
  const ids: string[] = [];
  for (const kind of boardKinds) {
    for (const state of [inTrouble, sql`NOT ${inTrouble}`]) {
      if (ids.length >= mostShown) return ids;
      const where = sql`${state} AND r.board_kind = ${kind} AND ${hadOnce(scope, sql`c.board_kind = ${kind}`)}`;
      ids.push(...(await readIds(scope, { where, most: mostShown - ids.length })));
    }
  }
  return ids;
}

async function readIds(
  scope: Scope,
  { where, most }: { readonly where: Sql; readonly most: number },
): Promise<string[]> {
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT e.id FROM endpoint e ${shownRevision}
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL AND ${where}
    ORDER BY e.name LIMIT ${most}`;
  return rows.map(({ id }) => id);
}

/** Names of endpoints that begin with a text, the shortest first and at most 200. */
export async function listTakenNames(scope: Scope, start: string): Promise<string[]> {
  const rows = await database().$queryRaw<{ name: string }[]>`
    SELECT e.name FROM endpoint e
    WHERE e.project_id = ${scope}::uuid AND e.deleted_at IS NULL AND e.name LIKE ${prefixPattern(start)}
    ORDER BY length(e.name), e.name LIMIT ${mostNames}`;
  return rows.map(({ name }) => name);
}
