import type { Scope, TrafficSummary } from "@/lib/common/contract";
import { addLatencies, type LatencyCounts, quantileUs } from "@/lib/common/latency";
import { database, type Page, type PageQuery, parsePage, toPage } from "@/lib/server/db";
import { groupBy } from "./points";
import { noEndpoint } from "./types";

/** Whole minutes that a summary looks back. */
const minutesBack = 30;

/** A minute: how many before the present one it was, requests, errors, latencies. */
type Minute = readonly [ago: number, requests: number, errors: number, latency: LatencyCounts];

interface SummaryRow {
  readonly name: string;
  readonly state: TrafficSummary["state"];
  readonly minutes: readonly Minute[];
  /** Which of the minutes were counted by anybody, by how many ago they were. */
  readonly counted: readonly number[];
}

/**
 * What each endpoint of a page was asked in the last 30 whole minutes: those that are named, else all by name.
 *
 * @throws {AppError} `CURSOR_INVALID`
 */
export async function listTraffic(
  scope: Scope,
  { names, ...query }: PageQuery & { readonly names: readonly string[] },
): Promise<Page<TrafficSummary>> {
  const { after, take } = parsePage(query);
  const most = names.length > 0 ? names.length + 1 : take;
  const rows = await database().$queryRaw<SummaryRow[]>`
    WITH page AS MATERIALIZED (
      SELECT id, name, state FROM endpoint
      WHERE project_id = ${scope}::uuid AND deleted_at IS NULL
        AND (${names.length === 0} OR name = ANY(${[...names]}::text[])) AND (${after}::text IS NULL OR name > ${after}::text)
      ORDER BY name LIMIT ${most}
    ), span AS (
      SELECT date_trunc('minute', now(), 'UTC') AS until
    )
    SELECT p.name, p.state, coalesce(m.minutes, '[]'::jsonb) AS minutes, coalesce(c.counted, '[]'::jsonb) AS counted
    FROM page p CROSS JOIN span
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_array(round(extract(epoch FROM span.until - t.at) / 60), t.requests,
        t.client_errors + t.server_errors, t.latency)) AS minutes
      FROM traffic_minute t WHERE t.endpoint_id = p.id AND t.at < span.until
        AND t.at >= span.until - make_interval(mins => ${minutesBack}::int)
    ) m ON true
    CROSS JOIN (
      SELECT jsonb_agg(DISTINCT round(extract(epoch FROM span.until - t.at) / 60)) AS counted
      FROM span, traffic_minute t WHERE t.endpoint_id = ${noEndpoint}::uuid AND t.at < span.until
        AND t.at >= span.until - make_interval(mins => ${minutesBack}::int)
    ) c
    ORDER BY p.name`;
  return toPage(rows, most, { keyOf: ({ name }) => name, show: toSummary });
}

function toSummary({ name, state, minutes, counted }: SummaryRow): TrafficSummary {
  const known = new Set([...counted, ...minutes.map(([ago]) => ago)]);
  const requests = minutes.reduce((sum, [, each]) => sum + each, 0);
  const errors = minutes.reduce((sum, [, , each]) => sum + each, 0);
  const p99Us = quantileUs(addLatencies(minutes.map(([, , , latency]) => latency)), 0.99);
  const byAge = groupBy(minutes, ([ago]) => ago);
  return {
    name,
    state,
    minutes: Array.from({ length: minutesBack }, (_, index) => {
      const ago = minutesBack - index;
      if (!known.has(ago)) return null;
      return (byAge.get(ago) ?? []).reduce((sum, [, each]) => sum + each, 0);
    }),
    requests,
    perMinute: known.size > 0 ? requests / known.size : null,
    p99Ms: p99Us === null ? null : p99Us / 1000,
    errorShare: requests > 0 ? errors / requests : null,
  };
}
