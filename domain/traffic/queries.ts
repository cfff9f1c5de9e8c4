import type { EndpointAccess, Scope, Traffic, TrafficQuery } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import type { LatencyCounts } from "@/lib/common/latency";
import { database } from "@/lib/server/db";
import { type CountedRow, histogramOf, pointsOf, timeShareOf, totalOf } from "./points";
import { noEndpoint } from "./types";
import { floorTo, minutesFromMs, trafficWindow, type Window } from "./window";

const minuteMs = 60_000;
/** Revisions that get lines of their own: the newest. */
const mostRevisions = 8;
const mostMarks = 200;

/** An endpoint whose requests are counted. */
interface Trafficked {
  readonly id: string;
  readonly access: EndpointAccess;
  readonly ownerId: string | null;
  readonly keepsPayloads: boolean;
  readonly nowMs: number;
}

/** An endpoint that is there, by its name. @throws {AppError} `ENDPOINT_UNKNOWN` */
export async function findTrafficked(scope: Scope, name: string): Promise<Trafficked> {
  const [row] = await database().$queryRaw<Trafficked[]>`
    SELECT id, access, owner_id AS "ownerId", keep_payloads AS "keepsPayloads", (extract(epoch FROM now()) * 1000)::float8 AS "nowMs"
    FROM endpoint WHERE project_id = ${scope}::uuid AND name = ${name} AND deleted_at IS NULL`;
  if (!row) throw notFound("endpoint", name);
  return row;
}

/**
 * What an endpoint was asked in a stretch of time, whoever of the gateways answered.
 *
 * @throws {AppError} `ENDPOINT_UNKNOWN`, `QUERY_INVALID`
 */
export async function getTraffic(
  scope: Scope,
  name: string,
  query: TrafficQuery,
): Promise<Traffic> {
  const { id, nowMs } = await findTrafficked(scope, name);
  const window = trafficWindow(query, nowMs);
  const [all, countedUntil, marks] = await Promise.all([
    readRows(id, window),
    readCountedUntil(),
    readMarks(id, window),
  ]);
  const rows = all.filter(({ isBeat }) => !isBeat);
  const counted = countedTimes(all, window, nowMs);
  const ordinals = [...new Set(rows.map(({ revision }) => revision))].sort((a, b) => b - a);
  return {
    from: new Date(window.fromMs).toISOString(),
    to: new Date(window.toMs).toISOString(),
    now: new Date(nowMs).toISOString(),
    countedUntil: countedUntil?.toISOString() ?? null,
    stepS: window.stepMs / 1000,
    points: pointsOf(rows, window, counted),
    total: { ...totalOf(rows), timeShare: timeShareOf(rows) },
    histogram: histogramOf(rows),
    revisions: ordinals.slice(0, mostRevisions).map((revision) => {
      const own = rows.filter((row) => row.revision === revision);
      return { revision, total: totalOf(own), points: pointsOf(own, window, counted) };
    }),
    marks,
  };
}

interface StoredRow extends CountedRow {
  /** Says that a gateway counted, and nothing else. */
  readonly isBeat: boolean;
  readonly isHour: boolean;
}

async function readRows(id: string, { fromMs, toMs }: Window): Promise<StoredRow[]> {
  const rows = await database().$queryRaw<(StoredRow & { latency: LatencyCounts })[]>`
    SELECT (extract(epoch FROM at) * 1000)::float8 AS "atMs", revision, endpoint_id = ${noEndpoint}::uuid AS "isBeat", "isHour",
      requests::float8, client_errors::float8 AS "clientErrors", server_errors::float8 AS "serverErrors", rows::float8,
      total_us::float8 AS "totalUs", queue_us::float8 AS "queueUs", link_us::float8 AS "linkUs", host_us::float8 AS "hostUs",
      compute_us::float8 AS "computeUs", latency
    FROM (
      SELECT endpoint_id, at, revision, requests, client_errors, server_errors, rows, total_us, queue_us, link_us,
        host_us, compute_us, latency, false AS "isHour" FROM traffic_minute
      UNION ALL
      SELECT endpoint_id, at, revision, requests, client_errors, server_errors, rows, total_us, queue_us, link_us,
        host_us, compute_us, latency, true FROM traffic_hour
    ) AS counted
    WHERE endpoint_id IN (${id}::uuid, ${noEndpoint}::uuid)
      AND at >= to_timestamp(${fromMs / 1000}::float8) AND at < to_timestamp(${toMs / 1000}::float8)`;
  return rows;
}

/** How much of each step was counted by anybody, milliseconds. What is left of an hour is the hour. */
function countedTimes(
  rows: readonly StoredRow[],
  { stepMs }: Window,
  nowMs: number,
): ReadonlyMap<number, number> {
  const minutes = new Set(rows.filter(({ isHour }) => !isHour).map(({ atMs }) => atMs));
  const counted = new Map<number, number>();
  for (const atMs of minutes) {
    const step = floorTo(atMs, stepMs);
    const ms = Math.max(1, Math.min(minuteMs, nowMs - atMs));
    counted.set(step, (counted.get(step) ?? 0) + ms);
  }
  const hours = new Set(rows.filter(({ isHour }) => isHour).map(({ atMs }) => atMs));
  for (const atMs of hours) {
    const step = floorTo(atMs, stepMs);
    const wholeHours = atMs < minutesFromMs(nowMs) ? 60 * minuteMs : 0;
    counted.set(step, Math.min(stepMs, (counted.get(step) ?? 0) + wholeHours));
  }
  return counted;
}

async function readCountedUntil(): Promise<Date | null> {
  const [row] = await database().$queryRaw<{ at: Date | null }[]>`
    SELECT coalesce(
      (SELECT max(at) FROM traffic_minute WHERE endpoint_id = ${noEndpoint}::uuid),
      (SELECT max(at) FROM traffic_hour WHERE endpoint_id = ${noEndpoint}::uuid)) AS at`;
  return row?.at ?? null;
}

async function readMarks(id: string, { fromMs, toMs }: Window): Promise<Traffic["marks"]> {
  const rows = await database().$queryRaw<
    { at: Date; kind: Traffic["marks"][number]["kind"]; revision: number | null }[]
  >`
    SELECT at, kind, revision FROM endpoint_log
    WHERE endpoint_id = ${id}::uuid AND kind IN ('switched', 'paused', 'resumed')
      AND at >= to_timestamp(${fromMs / 1000}::float8) AND at <= to_timestamp(${toMs / 1000}::float8)
    ORDER BY id DESC LIMIT ${mostMarks}`;
  return rows.reverse().map(({ at, ...mark }) => ({ at: at.toISOString(), ...mark }));
}
