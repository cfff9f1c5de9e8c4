import { database } from "@/lib/server/db";

const rowsOfBatch = 5000;
const maxBatches = 200;

/**
 * Adds minutes that are a day old to their hours, and deletes them with the same statement: each is counted once, whoever
 * rolls up and however often, and one that is written late is added late.
 *
 * @returns How many minutes went.
 */
export async function rollUpTraffic({
  limit = rowsOfBatch,
  batches = maxBatches,
} = {}): Promise<number> {
  let rolled = 0;
  for (let n = 0; n < batches; n++) {
    const gone = await rollUpBatch(limit);
    rolled += gone;
    if (gone < limit) break;
  }
  return rolled;
}

async function rollUpBatch(limit: number): Promise<number> {
  const [row] = await database().$queryRaw<{ gone: number }[]>`
    WITH gone AS (
      DELETE FROM traffic_minute WHERE ctid IN (
        SELECT m.ctid FROM traffic_minute m WHERE m.at < date_trunc('hour', now() - interval '24 hours', 'UTC')
        ORDER BY m.at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING *
    ), hours AS (
      INSERT INTO traffic_hour AS h (endpoint_id, at, revision, requests, client_errors, server_errors, rows,
        total_us, queue_us, link_us, host_us, compute_us, latency)
      SELECT endpoint_id, date_trunc('hour', at, 'UTC'), revision, sum(requests), sum(client_errors), sum(server_errors),
        sum(rows), sum(total_us), sum(queue_us), sum(link_us), sum(host_us), sum(compute_us), sum_latency(latency)
      FROM gone GROUP BY 1, 2, 3
      ON CONFLICT (endpoint_id, at, revision) DO UPDATE SET requests = h.requests + EXCLUDED.requests,
        client_errors = h.client_errors + EXCLUDED.client_errors, server_errors = h.server_errors + EXCLUDED.server_errors,
        rows = h.rows + EXCLUDED.rows, total_us = h.total_us + EXCLUDED.total_us, queue_us = h.queue_us + EXCLUDED.queue_us,
        link_us = h.link_us + EXCLUDED.link_us, host_us = h.host_us + EXCLUDED.host_us,
        compute_us = h.compute_us + EXCLUDED.compute_us, latency = add_latency(h.latency, EXCLUDED.latency)
    )
    SELECT count(*)::int AS gone FROM gone`;
  return row?.gone ?? 0;
}
